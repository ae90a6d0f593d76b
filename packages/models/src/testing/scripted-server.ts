// A provider on the loopback interface that does what a test says, for when a real socket is the point.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ModelRequest } from '@ai-agent/core';
import { type Script, type Step, stepOf } from '@ai-agent/core/testing';
import { toEvents, toWhole, toWireFailure } from './chat-reply.ts';
import { type ChatRequest, toModelRequest } from './chat-request.ts';

export interface ScriptedServer {
  /** Without a path. */
  readonly url: string;
  /** What a provider's configuration wants. */
  readonly baseUrl: string;
  /** Every request so far, oldest first, read back from the wire. */
  readonly requests: readonly ModelRequest[];
  /** How many clients went away before their answer was complete. */
  readonly aborted: number;
  /** How many wait for their answer now. */
  readonly inFlight: number;
  close(): Promise<void>;
}

export interface ScriptedServerOptions {
  /** Into how many pieces a streamed text is cut. @default 3 */
  readonly pieces?: number;
}

/** Speaks chat completions, whole and streamed. The same script as for `scriptedModel`; `costUsd` is not on this wire. */
export async function serveScript(script: Script, options: ScriptedServerOptions = {}): Promise<ScriptedServer> {
  const desk = new Desk(script, options.pieces ?? 3);
  const server = createServer((request, response) => desk.take(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    baseUrl: `${url}/v1`,
    requests: desk.requests,
    get aborted() {
      return desk.aborted;
    },
    get inFlight() {
      return desk.inFlight;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

class Desk {
  readonly requests: ModelRequest[] = [];
  aborted = 0;
  inFlight = 0;
  readonly #script: Script;
  readonly #pieces: number;

  constructor(script: Script, pieces: number) {
    this.#script = script;
    this.#pieces = pieces;
  }

  take(request: IncomingMessage, response: ServerResponse): void {
    this.inFlight++;
    const gone = new AbortController();
    response.once('close', () => {
      this.inFlight--;
      if (!response.writableFinished && !gone.signal.aborted) this.aborted++;
      gone.abort();
    });
    this.#answer(request, response, gone).catch((error: unknown) => refuse(response, error));
  }

  async #answer(request: IncomingMessage, response: ServerResponse, gone: AbortController): Promise<void> {
    const refusal = refusalOf(request);
    if (refusal) return sendRefusal(response, ...refusal);
    const wire = JSON.parse(await readAll(request)) as ChatRequest;
    const call = this.requests.push(toModelRequest(wire));
    const step = stepOf(this.#script, this.requests[call - 1] as ModelRequest, call);
    await wait(step, gone.signal);
    if (gone.signal.aborted) return;
    // From here on, a connection that closes early was closed by us.
    const cut = () => {
      gone.abort();
      response.destroy();
    };
    if (step.fail) return sendFailure(response, step.fail, cut);
    const options = {
      model: wire.model ?? 'model',
      call,
      pieces: this.#pieces,
      withUsage: wire.stream_options?.include_usage ?? false,
    };
    const end = step.cutAfter === undefined ? undefined : cut;
    if (wire.stream) await sendEvents(response, toEvents(step, options), end);
    else sendWhole(response, toWhole(step, options), end);
  }
}

/** What no provider would take, and a forgiving server would hide. */
function refusalOf({
  method,
  url = '',
  headers,
}: IncomingMessage): readonly [status: number, message: string] | undefined {
  if (method !== 'POST' || !/\/chat\/completions(\?|$)/.test(url)) return [404, `There is no ${method} ${url} here.`];
  const type = headers['content-type'] ?? 'nothing';
  return /^application\/json\b/.test(type) ? undefined : [415, `The content type is not JSON but ${type}.`];
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

async function wait({ latencyMs = 0, until }: Step, gone: AbortSignal): Promise<void> {
  const left = new Promise<void>((resolve) => gone.addEventListener('abort', () => resolve(), { once: true }));
  if (latencyMs > 0) {
    let timer: NodeJS.Timeout | undefined;
    const slept = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, latencyMs);
    });
    await Promise.race([slept, left]);
    clearTimeout(timer);
  }
  if (until) await Promise.race([until, left]);
}

function sendFailure(response: ServerResponse, failure: NonNullable<Step['fail']>, cut: () => void): void {
  const { status, headers, body } = toWireFailure(failure);
  if (status !== undefined) {
    response.writeHead(status, { ...headers }).end(body);
    return;
  }
  // A few bytes first: a kept connection that closes without any would be a reason to ask again at once.
  response.socket?.write('HTTP/1.1 ', cut);
}

function sendWhole(response: ServerResponse, body: string, cut: (() => void) | undefined): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  if (!cut) response.end(body);
  else response.write(body.slice(0, body.length / 2), cut);
}

/** One event at a time, as they would come from afar. */
async function sendEvents(
  response: ServerResponse,
  events: readonly string[],
  cut: (() => void) | undefined,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) {
    response.write(`data: ${event}\n\n`);
    await new Promise((resolve) => setImmediate(resolve));
    if (response.destroyed) return;
  }
  if (cut) response.write(': cut\n\n', cut);
  else response.end();
}

/** The script has no answer, or the request is none: a mistake of the test, and nothing to try again. */
function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy();
  else sendRefusal(response, 400, error instanceof Error ? error.message : String(error));
}

function sendRefusal(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message } }));
}
