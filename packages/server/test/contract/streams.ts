// Conversations: an answer that is read while it is written.

import { asTool, type ToolOffer } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect } from 'vitest';
import { type Door, promise } from './door.ts';
import { agentOf, call, lastResult, leadOf, lookUp } from './people.ts';

const answer = 'One thing after the other, until it is all said. ✓';

export function streamsItsAnswer(door: Door): void {
  promise(door, ['stream'], 'the pieces come to the answer', async () => {
    const open = await door.open([agentOf('teller', [answer], {}, { pieces: 20 })]);
    const { pieces, answered } = await open.stream({ agent: 'teller', input: 'Tell.' });
    expect(pieces.length).toBeGreaterThan(10);
    expect(pieces.join('')).toBe(answer);
    expect(answered).toMatchObject({ status: 'completed', text: answer });
    await open.close();
  });

  promise(door, ['stream'], 'what a child writes is never among them', async () => {
    const child = agentOf('child', ['the words of a child'], {}, { pieces: 5 });
    const lead = agentOf(
      'lead',
      (request) => (lastResult(request) ? answer : { ...call('child', { text: 'go' }), text: 'I will ask.' }),
      { tools: [asTool(child) as ToolOffer] },
      { pieces: 9 },
    );
    const open = await door.open([lead]);
    const { pieces } = await open.stream({ agent: 'lead', input: 'Go.' });
    expect(pieces.join('')).toBe(answer);
    await open.close();
  });

  promise(door, ['stream'], 'what was said on the way to a tool is not the answer', async () => {
    const busy = agentOf(
      'busy',
      (request) => (lastResult(request) ? answer : { ...call('look_up', {}), text: 'Let me see.' }),
      { tools: [lookUp] },
    );
    const open = await door.open([busy]);
    expect((await open.stream({ agent: 'busy', input: 'Go.' })).pieces.join('')).toBe(answer);
    await open.close();
  });

  promise(door, ['stream'], 'an attempt that broke off is not said twice', async () => {
    const breaks = scriptedModel([{ text: answer, cutAfter: 4 }], { model: 'first', pieces: 9 });
    const lasts = scriptedModel([answer], { model: 'second', pieces: 9 });
    const shaky = agentOf('shaky', [], { model: [breaks, lasts], limits: { maxRetries: 1 } });
    const open = await door.open([shaky]);
    const { pieces, answered } = await open.stream({ agent: 'shaky', input: 'Go.' });
    expect(pieces.join('')).toBe(answer);
    expect(answered.text).toBe(answer);
    await open.close();
  });

  promise(door, ['stream'], 'many at once do not mix', async () => {
    const tellers = Array.from({ length: 8 }, (_, i) =>
      agentOf(`teller-${i}`, [`${i} ${answer}`.repeat(i + 1)], {}, { pieces: 30 }),
    );
    const open = await door.open(tellers);
    const all = await Promise.all(tellers.map(({ name }) => open.stream({ agent: name, input: 'Tell.' })));
    expect(all.map(({ pieces }) => pieces.join(''))).toEqual(tellers.map((_, i) => `${i} ${answer}`.repeat(i + 1)));
    await open.close();
  });

  promise(door, ['stream'], 'data is not shown before it is known to be right', async () => {
    const schema = { type: 'object', required: ['ok'] };
    const json = agentOf('json', ['{"no":1}', '{"ok":1}'], { output: { format: 'json', schema } });
    const open = await door.open([json]);
    const { pieces, answered } = await open.stream({ agent: 'json', input: 'Go.' });
    expect(pieces.join('')).not.toContain('no');
    expect(answered).toMatchObject({ status: 'completed', report: { ok: 1 } });
    await open.close();
  });

  promise(door, ['stream', 'name the class of a failure'], 'a stream that fails says so, and how', async () => {
    const fails = agentOf('fails', [{ fail: { code: 'model-auth' } }], { limits: { maxRetries: 1 } });
    const open = await door.open([leadOf('unused', fails), fails]);
    const { answered, pieces } = await open.stream({ agent: 'fails', input: 'Go.' });
    expect([answered.status, answered.failure?.class, pieces.join('')]).toEqual(['failed', 'auth', '']);
    await open.close();
  });
}
