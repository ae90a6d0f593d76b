// How a client reaches a server in these tests: in memory, or through a socket.

import { request as httpRequest } from 'node:http';
import { createApp, type Hall, type Headend, listen, rest } from '../../src/index.ts';

export interface Wire {
  send(path: string, sending?: Sending): Promise<Arrived>;
  close(): Promise<void>;
}

/** A server of these headends, and a way to it. @default REST alone */
export type Connect = (hall: Hall, headends?: readonly Headend[]) => Promise<Wire>;

export interface Sending {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The client goes away. */
  readonly signal?: AbortSignal;
}

export interface Arrived {
  readonly status: number;
  readonly headers: Headers;
  readonly chunks: AsyncIterable<Uint8Array>;
}

export async function textOf({ chunks }: Arrived): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all).toString('utf8');
}

/** No network: the application is called as a function. */
export const inMemory: Connect = async (hall, headends = [rest()]) => toWire(createApp(hall, headends));

export function toWire(app: ReturnType<typeof createApp>): Wire {
  return {
    async send(path, { method = 'GET', headers = {}, body, signal } = {}) {
      const response = await app.request(path, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
        ...(signal ? { signal } : {}),
      });
      const reader = response.body?.getReader();
      // A server stops writing to who has gone.
      signal?.addEventListener('abort', () => void reader?.cancel().catch(() => {}));
      return { status: response.status, headers: response.headers, chunks: read(reader) };
    },
    close: async () => {},
  };
}

async function* read(reader: ReadableStreamDefaultReader<Uint8Array> | undefined): AsyncIterable<Uint8Array> {
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done || !value) return;
    yield value;
  }
}

/** A port of this machine, and a client of Node's own. */
export const overSockets: Connect = async (hall, headends = [rest()]) => {
  const listening = await listen(createApp(hall, headends), { port: 0 });
  return {
    send: (path, sending = {}) => sendTo(`${listening.url}${path}`, sending),
    close: () => listening.close(),
  };
};

function sendTo(url: string, { method = 'GET', headers = {}, body, signal }: Sending): Promise<Arrived> {
  return new Promise((resolve, reject) => {
    const options = { method, headers, agent: false as const, ...(signal ? { signal } : {}) };
    const request = httpRequest(url, options, (incoming) => {
      const pairs = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]);
      resolve({ status: incoming.statusCode ?? 0, headers: new Headers(pairs), chunks: incoming });
    });
    request.once('error', reject);
    request.end(body);
  });
}
