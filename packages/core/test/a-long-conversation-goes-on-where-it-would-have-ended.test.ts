// A long conversation goes on where it would have ended: summed up by its own model, with the request and what was said last as they were.

import { asTool, defaultTexts, defineTool, type Message } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import {
  askedOf,
  expectOrder,
  lookingFor,
  looks,
  say,
  silent,
  summing,
  talk,
  tokensIn,
  window,
} from './support/long-talks.ts';
import { agent, walk } from './support/walk.ts';

const limits = { ...window, maxTurns: 100 };
const textOf = (message: Message | undefined) => JSON.stringify(message);

describe('between the turns of a long run', () => {
  const lead = () =>
    agent(
      'lead',
      summing(lookingFor(20), (i) => `summary ${i}`),
      { tools: [looks()], limits },
    );

  test('all of its work is done', async () => {
    const one = lead();
    const { outcome } = await walk(one, 'find it all');
    expect(outcome).toMatchObject({ status: 'completed', text: 'all of it' });
    const { turns, summaries } = askedOf(one);
    expect(turns).toHaveLength(21);
    expect(summaries.length).toBeGreaterThan(2);
    expect(summaries.length).toBeLessThan(10);
  });

  test('it would have ended, and does where the agent says so', async () => {
    const { outcome } = await walk({ ...lead(), compaction: false }, 'find it all');
    expect(outcome).toMatchObject({ status: 'partial', limit: 'contextWindowTokens', text: 'what I have' });
  });

  test('every request fits, and has an order that every provider takes', async () => {
    const one = lead();
    await walk(one, 'find it all');
    for (const request of askedOf(one).all) {
      expectOrder(request.messages);
      expect(tokensIn(request) + (request.settings.maxOutputTokens ?? 0)).toBeLessThanOrEqual(8_000);
    }
  });

  test('the summary comes first, then the request as it was asked, then what was said last', async () => {
    const one = lead();
    await walk(one, 'find it all');
    const { turns } = askedOf(one);
    const after = turns.find(({ messages }) => textOf(messages[0])?.includes('summary 1'));
    expect(after?.messages[0]).toEqual(say('user', defaultTexts.summedUp('summary 1')));
    expect(after?.messages[1]).toEqual(say('user', 'find it all'));
    const said = after?.messages.slice(2) ?? [];
    const before = turns[turns.indexOf(after as never) - 1]?.messages ?? [];
    expect(said.length).toBeGreaterThan(1);
    // All but the last exchange was in the request before.
    expect(before.slice(-(said.length - 2))).toEqual(said.slice(0, -2));
  });

  test('who sums up is told all that goes, and none of what stays', async () => {
    const one = lead();
    await walk(one, 'find it all');
    const { summaries } = askedOf(one);
    const asked = textOf(summaries[0]?.messages[0]);
    for (const part of ['find it all', 'look 1', '[result of look]', 'result 1: word']) expect(asked).toContain(part);
    expect(asked).not.toContain('result 5:');
    expect(summaries[0]).toMatchObject({ tools: [], output: { format: 'text' } });
  });

  test('the second summary is told what the first one said', async () => {
    const one = agent(
      'lead',
      summing(lookingFor(20), (i, { messages }) =>
        i === 1 ? 'the code is 4711' : (/the code is \d+/.exec(JSON.stringify(messages))?.[0] ?? 'forgotten'),
      ),
      { tools: [looks()], limits },
    );
    await walk(one);
    const { turns } = askedOf(one);
    expect(textOf(turns.at(-1)?.messages[0])).toContain('the code is 4711');
    // Told again, not kept beside the new one.
    expect(JSON.stringify(turns.at(-1)?.messages).match(/4711/g)).toHaveLength(1);
  });

  test('a sub-agent does the same, and its caller hears nothing of it', async () => {
    const child = agent(
      'child',
      summing(lookingFor(12), () => 'so far'),
      { tools: [looks()], limits },
    );
    const caller = agent('lead', [{ calls: [{ name: 'agent__child', input: { reason: 'r' } }] }, 'done'], {
      tools: [asTool(child)],
    });
    expect((await walk(caller)).outcome).toMatchObject({ status: 'completed', text: 'done' });
    expect(askedOf(child).summaries.length).toBeGreaterThan(0);
    expect(textOf(caller.model.requests.at(-1)?.messages.at(-1))).toContain('all of it');
  });
});

describe('before the first turn', () => {
  test('a long history is summed up, and the prompt is answered', async () => {
    const one = agent(
      'lead',
      summing(['fine'], () => 'we talked'),
      { limits },
    );
    const { outcome } = await walk(one, 'and now?', { history: talk(11, 400) });
    expect(outcome).toMatchObject({ status: 'completed', text: 'fine' });
    const { turns, summaries } = askedOf(one);
    expect(summaries).toHaveLength(1);
    expectOrder(turns[0]?.messages ?? []);
    expect(turns[0]?.messages[0]).toEqual(say('user', defaultTexts.summedUp('we talked')));
    expect(turns[0]?.messages.at(-1)).toEqual(say('user', 'and now?'));
    expect(turns[0]?.messages.at(-2)).toEqual(talk(11, 400).at(-1));
  });

  test('one that fits is left as it is', async () => {
    const one = agent('lead', ['fine'], { limits });
    await walk(one, 'and now?', { history: talk(3, 400) });
    expect(one.model.requests[0]?.messages).toHaveLength(7);
  });

  test('a prompt that is too long by itself is sent as it is', async () => {
    const one = agent('lead', [{ text: 'ok', usage: silent }], { limits });
    await walk(one, 'word '.repeat(8_000), { history: talk(3, 400) });
    expect(one.model.requests).toHaveLength(1);
  });
});

test('a kept child goes on with what was summed up', async () => {
  const child = agent(
    'child',
    summing(lookingFor(8), () => 'so far'),
    { tools: [looks()], limits, hold: 'kept' },
  );
  const call = { calls: [{ name: 'agent__child', input: { reason: 'r', text: 'go on' } }] };
  const caller = agent('lead', [call, call, 'done'], { tools: [asTool(child)] });
  await walk(caller);
  const { turns } = askedOf(child);
  const [second] = turns.slice(-1);
  expectOrder(second?.messages ?? []);
  expect(textOf(second?.messages[0])).toContain('so far');
  expect(second?.messages.at(-1)).toEqual(say('user', 'go on'));
});

test('what its tools gave at last stays word for word, files too', async () => {
  const picture = { type: 'file', mediaType: 'image/png', data: 'AAAA' } as const;
  let count = 0;
  const look = defineTool({
    name: 'look',
    inputSchema: { type: 'object' },
    execute: () => ({ type: 'text', value: `result ${++count} ${'word '.repeat(400)}`, files: [picture] }),
  });
  const one = agent(
    'lead',
    summing(lookingFor(6), () => 'so far'),
    { tools: [look], limits },
  );
  expect((await walk(one)).outcome.status).toBe('completed');
  const { turns, summaries } = askedOf(one);
  expect(summaries.length).toBeGreaterThan(0);
  const last = turns.at(-1)?.messages.at(-1);
  expect(last?.role === 'tool' && last.content[0]).toMatchObject({ files: [picture] });
  for (const { messages } of turns) expectOrder(messages);
});
