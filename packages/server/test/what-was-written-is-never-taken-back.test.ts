// The promise: what is streamed of an answer is the answer, in its order and once; what may still turn out to be no part of it waits, and where that went wrong it is said.

import { asPartner, asTool, type ToolOffer } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { heldBackLetters, OneWayAnswer } from '../src/talk/one-way-answer.ts';
import { agentOf, call, lastResult, leadOf, lookUp } from './contract/people.ts';
import { openaiApp, ask as toAsk } from './support/openai-app.ts';
import { clientToolOf, TalkClient, talkHouse } from './support/talk-client.ts';

const answer = 'One thing after the other, until it is all said. ✓';
const long = 'This is what I am about to do, in many words. '.repeat(20).trim();

const streamed = (agent: Parameters<typeof talkHouse>[0][number], more: object = {}) =>
  new TalkClient(talkHouse([agent]).app, agent.name, { isStream: true, ...more }).say('Go.');

describe('what is said on the way to a call', () => {
  const busy = (words: string) =>
    agentOf('busy', (request) => (lastResult(request) ? answer : { ...call('look_up', {}), text: words }), {
      tools: [lookUp],
    });

  test('when it is short, it is not in the answer', async () => {
    expect((await streamed(busy('x'.repeat(heldBackLetters)))).text).toBe(answer);
  });

  test('when it is long, it was written, and stands apart before the answer', async () => {
    expect((await streamed(busy(long))).text).toBe(`${long}\n\n${answer}`);
  });

  test('when nothing is said after it, it is the answer, and is written once', async () => {
    const script = [{ ...call('look_up', {}), text: long }, ''];
    const agent = agentOf('busy', script, { tools: [lookUp], limits: { maxTurns: 2 } });
    expect(await streamed(agent)).toMatchObject({ text: long, about: { status: 'partial' } });
  });

  test('to a call of the client it is what is said with the call', async () => {
    const agent = agentOf('busy', [{ text: 'Let me see.', calls: [{ name: 'weather' }] }]);
    const { text, calls } = await streamed(agent, { tools: [clientToolOf('weather')] });
    expect([text, calls.length]).toEqual(['Let me see.', 1]);
  });

  test('who has no tools is heard at once, piece by piece', async () => {
    const { stream } = openaiApp([agentOf('teller', [answer], {}, { pieces: 10 })]);
    const pieces = (await stream(toAsk('teller'))).flatMap((event) => event.choices?.[0]?.delta?.content || []);
    expect([pieces.length, pieces.join('')]).toEqual([10, answer]);
  });
});

describe('an attempt that broke off', () => {
  const shaky = (first: string, second: string, more: object = {}) => {
    const breaks = scriptedModel([{ text: first, cutAfter: 4 }], { model: 'first', pieces: 9 });
    const lasts = scriptedModel([second], { model: 'second', pieces: 9 });
    return agentOf('shaky', [], { model: [breaks, lasts], limits: { maxRetries: 1 }, ...more });
  };

  test('is gone on with where the next says the same', async () => {
    expect((await streamed(shaky(answer, answer))).text).toBe(answer);
  });

  test('ends the stream with a failure that says so, where the next says something else', async () => {
    const { error } = await streamed(shaky(answer, 'Something else altogether, and longer than that.'));
    expect(error.ai_agent).toMatchObject({ class: 'network', retryable: true });
    expect(error.message).toMatch(/broke off in the middle of its answer.*without streaming/);
  });

  test('is nothing to who waits for the whole answer', async () => {
    const agent = shaky(answer, 'Something else.');
    expect((await new TalkClient(talkHouse([agent]).app, 'shaky').say('Go.')).text).toBe('Something else.');
  });

  test('says too much where the next has ended before it', async () => {
    const { error } = await streamed(shaky(answer, answer.slice(0, 10)));
    expect(error.ai_agent.class).toBe('network');
  });

  test('of which nothing was written yet is nothing to anybody', async () => {
    expect((await streamed(shaky(answer, 'Something else.', { tools: [lookUp] }))).text).toBe('Something else.');
  });

  test('on the way to a call of the client harms nobody', async () => {
    const breaks = scriptedModel([{ text: long, cutAfter: 8 }], { model: 'first', pieces: 9 });
    const lasts = scriptedModel([{ text: 'Let me see.', calls: [{ name: 'weather' }] }], { model: 'second' });
    const agent = agentOf('shaky', [], { model: [breaks, lasts], limits: { maxRetries: 1 } });
    const { text, calls, error } = await streamed(agent, { tools: [clientToolOf('weather')] });
    expect([error, calls.map(({ name }) => name)]).toEqual([undefined, ['weather']]);
    expect(text.endsWith('\n\nLet me see.')).toBe(true);
  });
});

describe('data', () => {
  const schema = { type: 'object', properties: { ok: { type: 'integer' } }, required: ['ok'] };

  test('is not written before it is known to be right', async () => {
    const json = agentOf('json', ['{"no":1}', '{"ok":1}'], { output: { format: 'json', schema } });
    expect((await streamed(json)).text).toBe('{"ok":1}');
  });

  test('that was asked for is all that is written, whatever the agent said before it', async () => {
    const talker = agentOf('talker', ({ output }) => (output.format === 'json' ? '{"ok":1}' : 'It is one.'));
    const format = { type: 'json_schema', json_schema: { name: 'wanted', schema } };
    expect((await streamed(talker, { more: { response_format: format } })).text).toBe('{"ok":1}');
  });
});

test('what others write below is never among it', async () => {
  const child = agentOf('child', [long], {}, { pieces: 5 });
  expect((await streamed(leadOf('lead', child))).text).toContain(long);
  const quiet = agentOf('quiet', (request) => (lastResult(request) ? answer : call('child', { text: 'go' })), {
    tools: [asTool(agentOf('child', [long], {}, { pieces: 5 })) as ToolOffer],
  });
  expect((await streamed(quiet)).text).toBe(answer);
});

describe('where others answer in its place', () => {
  const schema = { type: 'object', required: ['ok'] };
  const output = { format: 'json', schema } as const;

  test('a draft that somebody goes on with is not in the answer, however long it is', async () => {
    const editor = agentOf('editor', [answer], {}, { pieces: 5 });
    expect((await streamed(agentOf('lead', [long], { handoff: [asPartner(editor)] }))).text).toBe(answer);
  });

  test('data of the one that answers is not written before it is known to be right', async () => {
    const there = agentOf('there', ['{"no":1}', '{"ok":1}'], { output });
    const handOver = { name: 'router__handoff-to', input: { agent: 'there' } };
    const desk = agentOf('desk', [{ text: 'I pass you on.', calls: [handOver] }], {
      router: { destinations: [asPartner(there)] },
    });
    expect((await streamed(desk)).text).toBe('{"ok":1}');
    const last = agentOf('last', ['{"no":1}', '{"ok":1}'], { output });
    expect((await streamed(agentOf('lead', ['Draft.'], { handoff: [asPartner(last)] }))).text).toBe('{"ok":1}');
  });
});

describe('whatever is said', () => {
  /** Few letters: many attempts are to begin alike. */
  const words = fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 6 });
  const piece = fc.oneof(
    words,
    words.map((word) => word.repeat(200)),
  );
  const attempt = fc.array(piece, { maxLength: 4 });
  const turns = fc.array(fc.array(attempt, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 });

  /** Speaks turn after turn, each in some attempts of which the last is the reply. */
  function speak(said: readonly (readonly (readonly string[])[])[], hasTools: boolean, status: 'completed' | 'calls') {
    const pieces: string[] = [];
    const written = new OneWayAnswer((one) => pieces.push(one));
    const trace = { selfId: 's', parentId: null, originId: 's' };
    const hear = (event: object) => written.hear({ trace, ...event } as never);
    hear({ type: 'session-start', tools: hasTools ? ['x'] : [], output: { format: 'text' } });
    for (const [i, attempts] of said.entries()) {
      hear({ type: 'model-start', turn: i + 1 });
      for (const [j, one] of attempts.entries())
        for (const text of one)
          hear({ kind: 'hint', type: 'text-delta', answers: 's', turn: i + 1, attempt: j + 1, text });
    }
    const text = said.at(-1)?.at(-1)?.join('') ?? '';
    const before = pieces.join('');
    return { failure: written.end({ status, text }), pieces, before, text, all: written.all };
  }

  test('the pieces are all that was written, and its end is the answer, or it failed', () => {
    fc.assert(
      fc.property(
        turns,
        fc.boolean(),
        fc.constantFrom('completed' as const, 'calls' as const),
        (said, hasTools, status) => {
          const { failure, pieces, text, all, before } = speak(said, hasTools, status);
          expect(pieces.join('')).toBe(all);
          expect(all.startsWith(before)).toBe(true);
          expect(pieces).not.toContain('');
          if (!failure) expect(all.trimEnd().endsWith(text.trim())).toBe(true);
          if (status === 'calls') expect(failure).toBeUndefined();
        },
      ),
    );
  });

  test('the last pieces of a long answer cost no more than the first', () => {
    const trace = { selfId: 'a', parentId: null, originId: 'a' };
    const piece = { kind: 'hint', type: 'text-delta', answers: 'a', trace, turn: 1, attempt: 1, text: 'more ' };
    const written = new OneWayAnswer(() => {});
    const from = performance.now();
    for (let i = 0; i < 30_000; i++) written.hear(piece as never);
    expect(written.all).toHaveLength(150_000);
    expect(performance.now() - from).toBeLessThan(2_000);
  });

  test('it fails only where a reply was begun in other words', () => {
    fc.assert(
      fc.property(turns, fc.boolean(), (said, hasTools) => {
        const { failure, text } = speak(said, hasTools, 'completed');
        const tries = said.at(-1)?.map((one) => one.join('')) ?? [];
        if (tries.every((one) => text.startsWith(one))) expect(failure).toBeUndefined();
      }),
    );
  });

  test('whoever says each thing once, and little before calls, is written word for word', () => {
    const short = fc.array(words, { maxLength: 4 }).map((one) => [one]);
    fc.assert(
      fc.property(fc.array(short, { maxLength: 3 }), attempt, (said, last) => {
        const { all, text, failure } = speak([...said, [last]], true, 'completed');
        expect([failure, all.trim()]).toEqual([undefined, text.trim()]);
      }),
    );
  });
});
