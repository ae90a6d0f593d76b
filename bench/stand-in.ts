// A stand-in for a model provider, in a process of its own: the same answers to everybody, with a delay, or held back.
// `POST /control` sets what is in its body and begins a new count; `GET /control` gives the counts.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decide, type WireRequest } from './stand-in-script.ts';
import { toCompletion, toEvents } from './stand-in-wire.ts';

export interface Settings {
  /** Pause before each answer. */
  readonly delayMs?: number;
  /** Keeps the first call of every child unanswered. Those kept are answered when it is set to false. */
  readonly holdsChildren?: boolean;
}

export interface Counts {
  readonly calls: number;
  readonly streamedCalls: number;
  /** Calls of children that were unanswered at the same moment, at most. */
  readonly peakOfChildren: number;
  /** Calls of children that are kept unanswered now. */
  readonly held: number;
}

let settings: Settings = {};
let counts = { calls: 0, streamedCalls: 0, peakOfChildren: 0 };
let childrenInFlight = 0;
let held: (() => void)[] = [];

const server = createServer({ keepAliveTimeout: 300_000, noDelay: true }, async (request, response) => {
  if (request.url !== '/control') return answer(await read<WireRequest>(request), response);
  if (request.method === 'POST') control(await read<Settings>(request));
  sendJson(response, { ...counts, held: held.length } satisfies Counts);
});
// Whoever started it is gone: nobody is left to serve.
process.once('disconnect', () => process.exit());
server.listen({ port: 0, host: '127.0.0.1', backlog: 8192 }, () => {
  process.send?.((server.address() as AddressInfo).port);
});

function control(wanted: Settings): void {
  settings = { ...settings, ...wanted };
  counts = { calls: 0, streamedCalls: 0, peakOfChildren: childrenInFlight };
  if (settings.holdsChildren) return;
  const released = held;
  held = [];
  for (const release of released) release();
}

function answer(request: WireRequest, response: ServerResponse): void {
  const decision = decide(request);
  counts.calls++;
  if (request.stream) counts.streamedCalls++;
  if (decision.isChild) counts.peakOfChildren = Math.max(counts.peakOfChildren, ++childrenInFlight);
  const send = () => {
    if (decision.isChild) childrenInFlight--;
    if (request.stream) sendEvents(response, toEvents(decision));
    else sendJson(response, toCompletion(decision));
  };
  if (settings.holdsChildren && decision.isChild && decision.isFirst) held.push(send);
  else if (settings.delayMs) setTimeout(send, settings.delayMs);
  else send();
}

async function read<T>(request: IncomingMessage): Promise<T> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as T;
}

function sendJson(response: ServerResponse, value: object): void {
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
}

/** One write for each event, each in a round of its own, as tokens come from a model. */
function sendEvents(response: ServerResponse, events: readonly string[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let next = 0;
  const step = () => {
    if (response.destroyed) return;
    if (next === events.length) response.end();
    else if (response.write(events[next++])) setImmediate(step);
    else response.once('drain', step);
  };
  step();
}
