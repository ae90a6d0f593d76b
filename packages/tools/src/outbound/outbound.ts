// The one way out for tools that speak HTTP: who may be connected to, and how redirects are followed.

import { lookup as systemLookup } from 'node:dns';
import { type AgentError, isAgentError } from '@ai-agent/core';
import {
  Agent,
  type Dispatcher,
  type Response as Received,
  type RequestInit as Sent,
  FormData as SentFormData,
  fetch as sendRequest,
} from 'undici';
import { headersOfCaller } from '../calling.ts';
import { guardedConnector, type Lookup } from './connector.ts';
import { readNamed } from './named-hosts.ts';
import { type Hop, isRedirect, mostRedirects, nextHop, plainly, tooManyRedirects } from './redirects.ts';
import { causesOf, toFetchError, toRefusal } from './refusal.ts';
import { toWebResponse } from './web-response.ts';

export interface OutboundOptions {
  /** Addresses and hosts written in a configuration: these may be anywhere. See `readNamed`. */
  readonly named: readonly string[];
  /** Until a connection stands, its host looked up and its TLS spoken. @default 10000 */
  readonly connectTimeoutMs?: number;
  /** @default the system's */
  readonly lookup?: Lookup;
}

/** Of one message over a WebSocket: more is not even read. Who reads it may want less. */
const mostMessageBytes = 16 * 1024 * 1024;

export type Fetch = typeof globalThis.fetch;

type FetchInput = Parameters<Fetch>[0];
type FetchInit = NonNullable<Parameters<Fetch>[1]>;

/**
 * Connections are kept for the next request, and keep no process alive. Only connecting has a time limit here: others are the
 * caller's. Proxies named in environment variables are not used: an address would be looked up where nobody checks it.
 */
export class Outbound {
  /** For undici's WebSocket: the same rule, without redirects. */
  readonly dispatcher: Dispatcher;

  constructor({ named, connectTimeoutMs = 10_000, lookup = systemLookup }: OutboundOptions) {
    const connect = guardedConnector({ isNamed: readNamed(named), lookup, timeoutMs: connectTimeoutMs });
    const webSocket = { maxPayloadSize: mostMessageBytes };
    this.dispatcher = new Agent({ connect, headersTimeout: 0, bodyTimeout: 0, webSocket });
  }

  /** As everybody's fetch, and rejects as it does: `refusalIn` finds a refusal, `toNetworkFailure` the words for the rest. */
  readonly fetch: Fetch = async (input: FetchInput, init?: FetchInit) => {
    const asked = toAsked(input, init);
    try {
      return await this.#follow(asked);
    } catch (error) {
      // Who called it off gets the reason as it was given.
      const ours = asked.signal?.aborted ? undefined : causesOf(error).find(isAgentError);
      throw ours ? toFetchError(ours) : error;
    }
  };

  /** Ends what is under way, too. */
  async close(): Promise<void> {
    await this.dispatcher.destroy();
  }

  async #follow({ first, signal, redirect }: Asked): Promise<Response> {
    let hop = first;
    for (let followed = 0; ; followed++) {
      const answer = await this.#send(hop, { signal, redirect: redirect === 'error' ? 'error' : 'manual' });
      if (redirect !== 'follow' || !isRedirect(answer)) return toWebResponse(answer, followed > 0);
      await answer.body?.cancel();
      if (followed === mostRedirects) throw tooManyRedirects(first);
      hop = nextHop(hop, answer);
    }
  }

  #send(hop: Hop, options: Pick<Sent, 'signal' | 'redirect'>): Promise<Received> {
    checkAddress(hop.url);
    const headers = new Headers(hop.headers);
    for (const [name, value] of Object.entries(headersOfCaller(hop.url))) headers.set(name, value);
    const body = (hop.body ?? null) as Sent['body'] & {};
    return sendRequest(hop.url, {
      ...options,
      method: hop.method,
      headers: [...headers],
      ...(body === null ? {} : { body, duplex: 'half' }),
      dispatcher: this.dispatcher,
    });
  }
}

interface Asked {
  readonly first: Hop;
  readonly signal: AbortSignal | null;
  readonly redirect: 'follow' | 'manual' | 'error';
}

function toAsked(input: FetchInput, init: FetchInit = {}): Asked {
  const isRequest = typeof input === 'object' && 'url' in input;
  const text = String(isRequest ? input.url : input);
  const url = URL.parse(text);
  if (!url) throw toFetchError(unreadable());
  const asked = isRequest ? { ...fieldsOf(input), ...init } : init;
  return {
    first: {
      url,
      method: (asked.method ?? 'GET').toUpperCase(),
      headers: new Headers(asked.headers),
      body: toSendable(asked.body),
    },
    signal: asked.signal ?? null,
    redirect: asked.redirect ?? 'follow',
  };
}

/** Says nothing of the address: it may be a mistake with a key in it. */
function unreadable(): AgentError {
  const remedy = 'Write it as in https://host/path.';
  return toRefusal('This request', 'its address cannot be read', { remedy });
}

function fieldsOf({ method, headers, body, signal, redirect }: Request): FetchInit {
  return { method, headers, signal, redirect, ...(body === null ? {} : { body }) };
}

/** Node's own forms are of another make than those of the library, which would send their name only. */
function toSendable(body: unknown): unknown {
  if (!(body instanceof FormData)) return body;
  const form = new SentFormData();
  for (const [name, value] of body) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, value.name);
  }
  return form;
}

function checkAddress(url: URL): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw toRefusal(url.protocol, 'only http and https are', { remedy: 'Use a web address.' });
  if (url.username !== '' || url.password !== '')
    throw toRefusal(plainly(url), 'a name and a password are written into the address', {
      remedy: 'Give them in a header: Authorization.',
    });
}
