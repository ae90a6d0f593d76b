// What a provider says, why it stopped and what it counted come out the same, whoever said it and in whatever pieces.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ModelReply, textOf, userMessage } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { contextOf, requestOf, ways } from './support/calling.ts';
import { turnsOf } from './support/wires/conversation.ts';
import { wires } from './support/wires/index.ts';
import { type Answer, serveWire } from './support/wires/serve-wire.ts';
import { isEvents, type Wire, type WireReply } from './support/wires/wire.ts';

const text = 'Grüße – 世界 🎈: "quoted", C:\\new\n\tand a second line.';
const calls = [
  { id: 'call_1a', name: 'look', input: { where: 'Zürich 🏔', depth: 2 } },
  { id: 'call_2b', name: 'count', input: {} },
];
const thought = { text: 'First I look, then – 思考 – I count.', signature: 'c2lnbmF0dXJlLW9mLXRoaXMtdGhvdWdodA==' };
const tools = ['look', 'count'].map((name) => ({ name, description: name, inputSchema: { type: 'object' } }));
const everything: WireReply = { text, calls, reasoning: thought };

/** What anybody may rely on: without what only the provider itself understands. */
function said({ message, ...reply }: ModelReply) {
  return { ...reply, content: message.content.map(({ bound: _, ...part }) => part) };
}

async function answerOf(wire: Wire, answer: Answer, context = contextOf()): Promise<ModelReply> {
  const { model } = await serveWire(wire, [answer]);
  return model.call(requestOf({ tools }), context);
}

/** Where nobody is told what was thought, there is nothing to be told. */
const thoughtOn = ({ hidesReasoning = false }: Wire) => (hidesReasoning ? '' : thought.text);

/** Whether this wire has a place for it: who has none cannot say it. */
const says = (wire: Wire, reply: WireReply, what: string) => wire.whole(reply).includes(what);

describe.each(wires.map((wire) => [wire.label, wire] as const))('%s', (_, wire) => {
  describe.each(ways)('asked %s', (_, context) => {
    test('a text', async () => {
      const reply = await answerOf(wire, { text }, context());
      expect(said(reply).content).toEqual([{ type: 'text', text }]);
      expect(reply).toMatchObject({ finishReason: 'stop', usage: { inputTokens: 10, outputTokens: 5 } });
      expect(wire.whole({ text })).toContain(`"${reply.servedBy}"`);
    });

    test('a thought, a text and two calls', async () => {
      const reply = await answerOf(wire, everything, context());
      const [first, second] = calls.map(({ id, name }) => ({
        type: 'tool-call',
        id: says(wire, everything, id) ? id : expect.stringMatching(/./),
        name,
        input: expect.any(String),
      }));
      const thoughts = wire.hidesReasoning ? [] : [{ type: 'reasoning', text: thought.text }];
      expect(said(reply).content).toEqual([...thoughts, { type: 'text', text }, first, second]);
      const asked = reply.message.content.filter((part) => part.type === 'tool-call');
      expect(asked.map(({ input }) => JSON.parse(input))).toEqual(calls.map(({ input }) => input));
      expect(new Set(asked.map(({ id }) => id)).size).toBe(2);
      expect(reply.finishReason).toBe('tool-calls');
    });

    test('calls alone', async () => {
      const reply = await answerOf(wire, { calls }, context());
      expect(said(reply).content.map(({ type }) => type)).toEqual(['tool-call', 'tool-call']);
      expect(reply.finishReason).toBe('tool-calls');
    });

    test('a thought goes back to whoever had it, with its signature', async () => {
      const { model, requests } = await serveWire(wire, [everything, { text: 'Done' }]);
      const request = requestOf({ tools });
      const { message } = await model.call(request, context());
      const results = message.content
        .filter((part) => part.type === 'tool-call')
        .map(({ id, name }) => ({ type: 'tool-result' as const, id, name, text: `${name}ed`, isError: false }));
      const messages = [...request.messages, message, { role: 'tool' as const, content: results }];
      await model.call({ ...request, messages }, context());
      const [, again, answered] = turnsOf(requests[1] ?? expect.fail('It was asked once.'));
      expect(again).toMatchObject({
        role: 'assistant',
        text,
        calls: calls.map(({ name, input }) => ({ name, input })),
      });
      expect(answered?.results.map((result) => result.text)).toEqual([
        expect.stringContaining('looked'),
        expect.stringContaining('counted'),
      ]);
      expect(answered?.results.map(({ id }) => id)).toEqual(again?.calls.map(({ id }) => id));
      const { signature } = thought;
      expect(again?.reasoning).toBe(thoughtOn(wire));
      expect(again?.signatures).toEqual(says(wire, everything, signature) ? [signature] : []);
    });

    test('what was counted', async () => {
      const usage = { input: 9_871, output: 8_765, cacheRead: 7_654, cacheWrite: 1_543, reasoning: 5_432 };
      const reply = await answerOf(wire, { text, usage }, context());
      const has = (figure: number) => says(wire, { text, usage }, String(figure));
      expect(reply.usage).toMatchObject({
        inputTokens: 9_871,
        outputTokens: 8_765,
        ...(has(7_654) ? { cacheReadTokens: 7_654 } : {}),
        ...(has(1_543) ? { cacheWriteTokens: 1_543 } : {}),
        ...(has(5_432) ? { reasoningTokens: 5_432 } : {}),
      });
    });

    test.each(['stop', 'length', 'content-filter'] as const)('why it stopped: %s', async (finish) => {
      const answer = { text: 'Half a', finish };
      const reply = await answerOf(wire, answer, context());
      // Who has no word for it says the usual one.
      const isUsual = wire.whole(answer) === wire.whole({ ...answer, finish: 'stop' });
      expect([reply.finishReason, textOf(reply.message)]).toEqual([isUsual ? 'stop' : finish, 'Half a']);
    });
  });

  test('what is told on the way is what is said in the end', async () => {
    const told = { text: '', reasoning: '' };
    const onDelta = (delta: { readonly type: 'text' | 'reasoning'; readonly text: string }) => {
      told[delta.type] += delta.text;
    };
    const reply = await answerOf(wire, everything, contextOf({ onDelta }));
    expect(told).toEqual({ text, reasoning: thoughtOn(wire) });
    expect(textOf(reply.message)).toBe(text);
  });

  test.each([
    ['byte by byte', 1, (stream: string) => stream],
    ['in sevens', 7, (stream: string) => stream],
    ['byte by byte, with returns', 1, (stream: string) => stream.replaceAll(/\r?\n/g, '\r\n')],
    ['in threes, with returns', 3, (stream: string) => stream.replaceAll(/\r?\n/g, '\r\n')],
    ['all at once', Number.POSITIVE_INFINITY, (stream: string) => stream],
  ])('streamed %s it is what it is as a whole', async (_, size, toBytes) => {
    const bytes = Buffer.from(toBytes(wire.stream(everything).join('')));
    const count = size === Number.POSITIVE_INFINITY ? 1 : Math.ceil(bytes.length / size);
    await expectWhole(Array.from({ length: count }, (_, i) => bytes.subarray(i * size || 0, (i + 1) * size)));
  });

  test('streamed with signs of life between, it is what it is as a whole', async () => {
    const alive = isEvents(wire) ? `: alive\n\n${wire.keepAlive ?? ''}` : (wire.keepAlive ?? '');
    await expectWhole([alive, ...wire.stream(everything).flatMap((event) => [event, alive])]);
  });

  async function expectWhole(pieces: readonly (string | Buffer)[]): Promise<void> {
    const answer: Answer = async (response) => {
      response.writeHead(200, { 'content-type': wire.streamType });
      for (const piece of pieces) {
        response.write(piece);
        await nextTurn();
      }
      response.end();
    };
    const streamed = await answerOf(wire, answer, contextOf({ onDelta: () => {} }));
    expect(withoutIds(streamed)).toEqual(withoutIds(await answerOf(wire, everything)));
  }

  test('a reply that is streamed is asked for where streams are, any other where it is', async () => {
    const { model, requests } = await serveWire(wire, [{ text }]);
    const request = requestOf({ messages: [userMessage('Hello')] });
    await model.call(request, contextOf());
    await model.call(request, contextOf({ onDelta: () => {} }));
    await model.call({ ...request, settings: { stream: true } }, contextOf());
    expect(requests.map(({ path }) => path)).toEqual([wire.paths.whole, wire.paths.streamed, wire.paths.streamed]);
    expect(requests.map(({ isStreamed }) => isStreamed)).toEqual([false, true, true]);
  });
});

/** Wires without ids of calls get some that differ each time. */
function withoutIds(reply: ModelReply) {
  const { content, ...rest } = said(reply);
  return { ...rest, content: content.map((part) => ({ ...part, id: '' })) };
}
