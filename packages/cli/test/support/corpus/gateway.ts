// Everything the corpus finds outside: models that follow a script, in three dialects, and the APIs of its REST tools.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Asked, type Body, dialects, type Step } from './dialects.ts';

export interface Part {
  /** How the system prompt of this agent begins: so it is told from the others. */
  readonly opens: string;
  /** What its model says, turn by turn. */
  readonly says: readonly Reply[] | ((asked: Asked) => readonly Reply[]);
}

export type Reply = string | Step | ((asked: Asked) => string | Step);

/** By agent, in the order in which they stand in the expectation. */
export type TeamScript = Readonly<Record<string, Part>>;

/** One request to a model. */
export interface Upstream {
  readonly agent: string;
  readonly path: string;
  readonly prompt: string;
  readonly body: Body;
}

export interface Gateway {
  readonly url: string;
  readonly upstream: readonly Upstream[];
  /** Method, path and body of every request to an API. */
  readonly calls: readonly string[];
  close(): Promise<void>;
}

export async function openGateway(script: TeamScript): Promise<Gateway> {
  const upstream: Upstream[] = [];
  const calls: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const { method, url = '' } = request;
    if (url.startsWith('/api/')) {
      calls.push([method, url, body].filter((word) => word !== '').join(' '));
      send(response, answerOf(request));
    } else
      try {
        answer(response, { path: url, body: JSON.parse(body) }, { script, upstream });
      } catch (error) {
        send(response, { error: { message: String(error) } }, 400);
      }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    upstream,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Desk {
  readonly script: TeamScript;
  readonly upstream: Upstream[];
}

function answer(
  response: ServerResponse,
  { path, body }: Pick<Upstream, 'path' | 'body'>,
  { script, upstream }: Desk,
): void {
  const dialect = dialects.find((one) => one.path === path);
  if (!dialect) throw new Error(`There is no ${path} here.`);
  const asked = dialect.read(body);
  const [agent, part] = Object.entries(script).find(([, { opens }]) => asked.system.startsWith(opens)) ?? [];
  upstream.push({ agent: agent ?? 'nobody', path, prompt: asked.prompt, body });
  if (!part) throw new Error(`Nobody begins with: ${asked.system.slice(0, 80)}`);
  const says = typeof part.says === 'function' ? part.says(asked) : part.says;
  const reply = says[asked.turn];
  if (reply === undefined) throw new Error(`${agent} has nothing to say in turn ${asked.turn + 1}.`);
  const step = typeof reply === 'function' ? reply(asked) : reply;
  const written = dialect.write(typeof step === 'string' ? { text: step } : step, body, `call_${asked.turn + 1}`);
  if (!body.stream) {
    send(response, written);
    return;
  }
  const events = dialect.stream(written).map((event) => (typeof event === 'string' ? event : JSON.stringify(event)));
  const text = events.map((event) => `data: ${event}\n\n`).join('');
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);
}

const logLine = (i: number) => `03:${String(59 - i).padStart(2, '0')} error checkout: upstream gave 502, attempt ${i}`;

const apis: Readonly<Record<string, object>> = {
  '/api/invoices/HH-2207': { number: 'HH-2207', total: 412.5, due: '2026-03-01', paid: false },
  '/api/pages': { paged: true },
  '/api/incidents': [{ id: 7, title: 'Slow search', open: true }],
  '/api/logs': { lines: Array.from({ length: 30 }, (_, i) => logLine(i)) },
};

function answerOf({ url = '' }: IncomingMessage): object {
  return apis[url.replace(/\?.*/, '')] ?? { error: 'not found' };
}

function send(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
