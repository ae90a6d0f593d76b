// A provider that says nothing for as long as llmTimeout is left, and its connection closed; one that is slow is not.

import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { ask } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { expect, test, vi } from 'vitest';
import { realClock } from './support/clocks.ts';
import { wires } from './support/wires/index.ts';
import { serveWire } from './support/wires/serve-wire.ts';
import { isEvents, type Wire, type WireReply } from './support/wires/wire.ts';

const shortMs = 700;
/** Long enough that a busy machine is not taken for a silent provider. */
const longMs = 1_800;
const text = 'Slowly, but surely.';
const tools = [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object' }, execute: () => 'nothing' }];

interface Came {
  /** The text of the answer, or the code of the failure. */
  readonly outcome: string;
  readonly closed: boolean;
  readonly tookMs: number;
}

type Sending = (response: ServerResponse, wire: Wire) => void | Promise<void>;

interface Asked {
  readonly stream: boolean;
  readonly sending: Sending;
  readonly llmTimeoutMs?: number;
}

/** One session with one request, which the server answers so; after that, with a word. */
async function askOnce(wire: Wire, asked: Asked): Promise<Came> {
  const { stream, sending, llmTimeoutMs = shortMs } = asked;
  let closed = false;
  const { model } = await serveWire(wire, [
    (response) => {
      response.on('close', () => {
        closed = !response.writableFinished;
      });
      void sending(response, wire);
    },
    { text: 'Done.' },
  ]);
  const agent = {
    name: 'a',
    instructions: 'You answer.',
    model,
    tools,
    limits: { llmTimeoutMs, maxRetries: 1 },
    settings: { stream },
  };
  const start = performance.now();
  const outcome = await ask(agent, 'Hello', { ports: fakePorts({ clock: realClock }) });
  const tookMs = performance.now() - start;
  if (outcome.status !== 'failed') return { outcome: outcome.text, closed, tookMs };
  await vi.waitFor(() => expect(closed).toBe(true));
  return { outcome: outcome.failure.code, closed, tookMs };
}

/** All providers at once, each by its name: waiting takes long enough. */
async function askAll(asked: Asked): Promise<Readonly<Record<string, Came>>> {
  const came = await Promise.all(wires.map(async (wire) => [wire.label, await askOnce(wire, asked)] as const));
  return Object.fromEntries(came);
}

const all = (outcome: string) => Object.fromEntries(wires.map(({ label }) => [label, outcome]));
const outcomes = (came: Readonly<Record<string, Came>>) =>
  Object.fromEntries(Object.entries(came).map(([label, { outcome }]) => [label, outcome]));

const begin = (response: ServerResponse, type: string) =>
  response.writeHead(200, { 'content-type': type }).flushHeaders();

/** Again and again, until the client goes. */
async function repeat(response: ServerResponse, piece: string): Promise<void> {
  for (; !response.destroyed; await wait(50)) response.write(piece);
}

const silences: readonly (readonly [string, boolean, Sending])[] = [
  ['a reply that never begins', false, () => {}],
  ['a stream that never begins', true, () => {}],
  ['a reply with nothing but headers', false, (response) => begin(response, 'application/json')],
  ['a stream with nothing but headers', true, (response, { streamType }) => begin(response, streamType)],
  [
    'a stream that falls silent',
    true,
    (response, wire) => {
      begin(response, wire.streamType);
      const events = wire.stream({ text });
      response.write(events.slice(0, Math.max(1, wire.incompleteUntil(events) - 1)).join(''));
    },
  ],
  [
    'a reply that falls silent',
    false,
    (response, wire) => {
      begin(response, 'application/json');
      response.write(wire.whole({ text }).slice(0, 20));
    },
  ],
  [
    'a stream of nothing but comments',
    true,
    (response, wire) => {
      begin(response, wire.streamType);
      return repeat(response, `${isEvents(wire) ? ': still here\n\n' : ''}${wire.keepAlive ?? ''}`);
    },
  ],
  [
    'a reply that drips, and never ends',
    false,
    (response) => {
      begin(response, 'application/json');
      return repeat(response, ' ');
    },
  ],
];

test.each(silences)('%s is left after llmTimeout, and closed', async (_, stream, sending) => {
  const came = await askAll({ stream, sending });
  expect(outcomes(came)).toEqual(all('model-timeout'));
  for (const { closed, tookMs } of Object.values(came)) {
    expect(closed).toBe(true);
    expect(tookMs).toBeGreaterThan(shortMs * 0.9);
    expect(tookMs).toBeLessThan(shortMs * 6);
  }
});

const call = (id: number) => ({ id: `call_${id}`, name: 'look', input: { where: `place ${id}`, depth: id } });
/** What comes slowly, and what the session says in the end. */
const slow: readonly (readonly [string, WireReply, string])[] = [
  ['text', { text, reasoning: { text: 'Hm.', signature: 'c2ln' } }, text],
  ['thoughts', { text: 'So.', reasoning: { text: 'One thought after the other.', signature: 'c2ln' } }, 'So.'],
  ['arguments of calls', { calls: [1, 2, 3, 4].map(call) }, 'Done.'],
];

test('a slow stream is waited for, as long as something comes: text, thoughts, arguments of calls', async () => {
  const came = slow.map(async ([what, reply, expected]) => {
    const sending: Sending = async (response, wire) => {
      begin(response, wire.streamType);
      const events = wire.stream(reply);
      // What ends a reply says nothing more, and comes in one go.
      const last = wire.incompleteUntil(events);
      for (const [i, event] of events.entries()) {
        if (i > 0 && i < last) await wait(gapOf(last));
        response.write(event);
      }
      response.end();
    };
    const found = await askAll({ stream: true, sending, llmTimeoutMs: longMs });
    expect([what, outcomes(found)]).toEqual([what, all(expected)]);
    for (const { tookMs } of Object.values(found)) expect(tookMs).toBeGreaterThan(longMs);
  });
  await Promise.all(came);
});

/** So that all take longer than anybody is waited for, and none is too late. */
function gapOf(count: number): number {
  return Math.min(0.6 * longMs, Math.max(120, (2.5 * longMs) / count));
}
