// When a provider dies in the middle, another goes on: with all that was said, and nothing that only the first understands.

import { ask } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { hastyClock } from './support/clocks.ts';
import { turnsOf } from './support/wires/conversation.ts';
import { wires } from './support/wires/index.ts';
import { type Answer, type Served, type ServedRequest, serveWire } from './support/wires/serve-wire.ts';
import type { Wire, WireReply } from './support/wires/wire.ts';

const first: WireReply = {
  text: 'Let me look at both.',
  reasoning: { text: 'Two places – 二箇所 – so two looks.', signature: 'Zmlyc3QtcHJvdmlkZXJzLXNpZ25hdHVyZQ==' },
  calls: [
    { id: 'call_first1', name: 'look', input: { where: 'here' } },
    { id: 'call_first2', name: 'count', input: { what: 'there', deep: { list: [1, 2] } } },
  ],
};
const second: WireReply = {
  text: 'One more.',
  reasoning: { text: 'A third look will do.', signature: 'c2Vjb25kLXByb3ZpZGVycy1zaWduYXR1cmU=' },
  calls: [{ id: 'call_second1', name: 'look', input: { where: 'above' } }],
};

const inputSchema = { type: 'object', properties: { where: { type: 'string' } } };
const tools = [
  { name: 'look', description: 'Looks.', inputSchema, execute: ({ where }: { where: string }) => `Saw ${where}.` },
  { name: 'count', description: 'Counts.', inputSchema, execute: () => 'Counted 7.' },
];

const dead =
  (wire: Wire, status: number): Answer =>
  (response) =>
    response.writeHead(status).end(wire.error(status, 'It is so'));

async function run(providers: readonly Served[], stream: boolean): Promise<string> {
  const agent = {
    name: 'a',
    instructions: 'You look after things.',
    model: providers.map(({ model }) => model),
    tools,
    limits: { maxRetries: 1 },
    settings: { stream },
  };
  const outcome = await ask(agent, 'What is here?', { ports: fakePorts({ clock: hastyClock() }) });
  return outcome.status === 'failed' ? outcome.failure.message : outcome.text;
}

/** System prompt, tools, and the first turn with its results, each to its call. */
function expectFirstTurn(request: ServedRequest | undefined): void {
  if (!request) expect.fail('It was not asked.');
  expect(request.system).toContain('You look after things.');
  expect(request.tools).toEqual(expect.arrayContaining(['look', 'count']));
  const [user, assistant, results] = turnsOf(request);
  expect(user).toMatchObject({ role: 'user', text: expect.stringContaining('What is here?') });
  expect(assistant).toMatchObject({ role: 'assistant', text: first.text });
  expect(assistant?.calls.map(({ name, input }) => ({ name, input }))).toEqual(
    first.calls?.map(({ name, input }) => ({ name, input })),
  );
  expect(results?.role).toBe('tool');
  expect(results?.results.map(({ text }) => text)).toEqual([
    expect.stringContaining('Saw here.'),
    expect.stringContaining('Counted 7.'),
  ]);
  expect(results?.results.map(({ id }) => id)).toEqual(assistant?.calls.map(({ id }) => id));
}

/** Thoughts, signatures, and the ids a provider gives its items, but for those of calls, which tie results to them. */
function ownOf(wire: Wire, { reasoning, calls = [], ...reply }: WireReply): readonly string[] {
  const said = wire.whole({ ...reply, calls, ...(reasoning ? { reasoning } : {}) });
  const ids = said.match(/"(?:rs|msg|fc|resp|gen|chatcmpl)[_-][\w-]+"/g) ?? [];
  return [reasoning?.text, reasoning?.signature, ...ids].filter((text) => text !== undefined);
}

/** Where nobody is told what was thought, nothing can go back. */
function thoughtOn({ hidesReasoning = false }: Wire, { reasoning }: WireReply): string {
  return hidesReasoning ? '' : (reasoning?.text ?? '');
}

const pairs = wires.flatMap((from) => wires.map((to) => [from.label, to.label, from, to] as const));

describe.each(pairs)('%s, then %s', (_, __, from, to) => {
  test.each([
    ['whole', false],
    ['streamed', true],
  ] as const)('it dies for good: %s', async (_, stream) => {
    const one = await serveWire(from, [first, dead(from, 500)], { name: 'one' });
    const two = await serveWire(to, [second, { text: 'All seen.' }], { name: 'two' });
    expect(await run([one, two], stream)).toBe('All seen.');
    expect([one.requests.length, two.requests.length]).toEqual([3, 2]);
    const [asked, later] = two.requests;
    expectFirstTurn(asked);
    for (const own of ownOf(from, first)) expect(JSON.stringify(asked?.body)).not.toContain(own);
    expectFirstTurn(later);
    const [, , , again, results] = turnsOf(later as ServedRequest);
    expect(again).toMatchObject({ text: second.text, calls: [{ name: 'look', input: { where: 'above' } }] });
    expect(results?.results).toMatchObject([{ id: again?.calls[0]?.id, text: expect.stringContaining('Saw above.') }]);
    expect(again?.reasoning).toBe(thoughtOn(to, second));
    expect(JSON.stringify(later?.body)).not.toContain(first.reasoning?.signature);
  });

  test.each([
    ['whole', false],
    ['streamed', true],
  ] as const)('it is dead for a moment, and goes on with its own thoughts: %s', async (_, stream) => {
    const one = await serveWire(from, [first, dead(from, 401), { text: 'All seen.' }], { name: 'one' });
    const two = await serveWire(to, [second], { name: 'two' });
    expect(await run([one, two], stream)).toBe('All seen.');
    expect([one.requests.length, two.requests.length]).toEqual([3, 1]);
    const last = one.requests[2] as ServedRequest;
    expectFirstTurn(last);
    const [, own, , foreign, results] = turnsOf(last);
    expect(own?.reasoning).toBe(thoughtOn(from, first));
    const { signature = '' } = first.reasoning ?? {};
    expect(own?.signatures).toEqual(from.whole(first).includes(signature) ? [signature] : []);
    expect(foreign).toMatchObject({ text: second.text, reasoning: '', signatures: [] });
    expect(results?.results).toMatchObject([{ text: expect.stringContaining('Saw above.') }]);
    for (const text of [second.reasoning?.text, second.reasoning?.signature])
      expect(JSON.stringify(last.body)).not.toContain(text);
  });
});

test.each(wires.map((wire) => [wire.label, wire] as const))('%s, then another model of its own', async (_, wire) => {
  const one = await serveWire(wire, [first, dead(wire, 500)], { name: 'one' });
  const two = await serveWire(wire, [{ text: 'All seen.' }], { name: 'one', model: `${wire.model}-other` });
  expect(await run([one, two], false)).toBe('All seen.');
  const [asked] = two.requests;
  expectFirstTurn(asked);
  for (const own of ownOf(wire, first)) expect(JSON.stringify(asked?.body)).not.toContain(own);
});
