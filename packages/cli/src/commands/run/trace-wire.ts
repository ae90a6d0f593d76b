// `--trace-sdk`: what goes over the wire to providers and comes back, as it happens, without keys.

import { messageOf, oneLine, withoutKeys } from '@ai-agent/core';
import { createModels, createTransport, type Models } from '@ai-agent/models';
import { systemClock } from '../../platform.ts';
import { strikeAll, toGutter } from './trace-text.ts';

/** Models whose requests and answers are written; the values they were opened with never are. */
export function traceWire(write: (text: string) => void): Pick<Models, 'open'> {
  const hidden = new Set<string>();
  const strike = (text: string) => withoutKeys(strikeAll(text, hidden));
  const { fetch, close } = createTransport();
  const traced = tracedFetch(fetch, { write, strike });
  const models = createModels({ now: systemClock.now, transport: { fetch: traced, close } });
  return {
    open: (provider, model, config, options) =>
      models.open(provider, model, config, {
        ...options,
        hide(value) {
          hidden.add(value);
          options.hide?.(value);
        },
      }),
  };
}

type Fetch = typeof globalThis.fetch;

interface Writing {
  readonly write: (text: string) => void;
  /** A text as it may be shown. */
  readonly strike: (text: string) => string;
}

function tracedFetch(fetch: Fetch, { write, strike }: Writing): Fetch {
  let count = 0;
  return async (input, init) => {
    const number = ++count;
    const tell = (line: string, ...texts: readonly Titled[]) =>
      write(
        `${oneLine(strike(line))}\n${texts.map(([title, text, length]) => toGutter(title, strike(text), length)).join('')}`,
      );
    const address = input instanceof Request ? input.url : String(input);
    const headers = toHeaderLines(new Headers(init?.headers ?? {}));
    tell(`⇒ #${number} ${init?.method ?? 'GET'} ${withoutQuery(address)}`, headers, bodyOf(init?.body));
    try {
      const response = await fetch(input, init);
      tell(`⇐ #${number} ${response.status} ${response.statusText}`.trim(), toHeaderLines(response.headers));
      return withTracedBody(response, ([title, text, length]) => {
        const shown = strike(text);
        tell(`⇐ #${number} it said`, [
          title,
          isKeyInPieces(shown, strike) ? 'It has a key in it, in pieces.' : shown,
          length,
        ]);
      });
    } catch (error) {
      tell(`⇐ #${number} no answer: ${messageOf(error)}`);
      throw error;
    }
  };
}

/** Of a long text the head, and how long the whole is. */
type Titled = readonly [title: string, text: string, length?: number | undefined];

/** Names of what is in a query; its values may be keys. */
function withoutQuery(address: string): string {
  const url = new URL(address);
  for (const name of new Set(url.searchParams.keys())) url.searchParams.set(name, '***');
  url.username = url.password = '';
  return url.href;
}

/** Those that nobody hides a key in; of all others the name alone. */
const shownHeaders =
  /^(?:accept|content-(?:type|length|encoding)|user-agent|connection|keep-alive|transfer-encoding|date|server|retry-after|(?:x-)?request-id|(?:x-|anthropic-)ratelimit-[\w-]+|anthropic-(?:version|beta)|openai-(?:version|processing-ms))$/;

function toHeaderLines(headers: Headers): Titled {
  const lines = [...headers].map(([name, value]) => `${name}: ${shownHeaders.test(name) ? value : '***'}`);
  return ['headers', lines.join('\n')];
}

/** More than is shown, so that what is struck out at its end does no harm. */
const mostKept = 64 * 1024;

function bodyOf(body: RequestInit['body']): Titled {
  if (typeof body === 'string') return ['body', body.slice(0, mostKept), body.length];
  if (!(body instanceof Uint8Array)) return ['body', ''];
  return ['body', new TextDecoder().decode(body.subarray(0, mostKept)), body.length];
}

/** The same answer; what is read of its body is told once, when it ends or its reader leaves. */
function withTracedBody(response: Response, tell: (body: Titled) => void): Response {
  const { status, statusText, headers, url } = response;
  const mayHaveBody = status >= 200 && status < 600 && ![204, 205, 304].includes(status);
  if (!mayHaveBody || !response.body) return response;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let [text, length] = ['', 0];
  const end = () => {
    if (length > 0) tell(['body', text, length]);
    length = 0;
  };
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read().catch((error: unknown) => {
          end();
          throw error;
        });
        const more = decoder.decode(value, { stream: !done });
        length += more.length;
        if (text.length < mostKept) text += more;
        if (!done) return controller.enqueue(value);
        end();
        controller.close();
      },
      cancel(reason) {
        end();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  const copy = new Response(body, { status, statusText, headers: [...headers] });
  return Object.defineProperty(copy, 'url', { value: url });
}

/** Whether the texts of a stream, joined as a reader joins them, show what none of them shows. */
function isKeyInPieces(body: string, strike: Writing['strike']): boolean {
  const joined = new Map<string, string>();
  const join = (key: string, value: unknown) => {
    if (typeof value === 'string') joined.set(key, `${joined.get(key) ?? ''}${value}`);
    return value;
  };
  for (const line of body.split('\n')) {
    try {
      JSON.parse(line.replace(/^data:/, ''), join);
    } catch {
      // Not every line is JSON.
    }
  }
  return [...joined.values()].some((text) => strike(text) !== text);
}
