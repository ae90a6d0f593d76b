// Conversations in which an agent asks back: the answer reaches the very one that asked, with all it knew.

import type { Agent } from '@ai-agent/core';
import type { ScriptedModel } from '@ai-agent/core/testing';
import { expect } from 'vitest';
import { type Door, promise } from './door.ts';
import { agentOf, call, lastResult, leadOf } from './people.ts';

/** Says something, asks, and then knows both. */
function curious(more: Partial<Agent> = {}): Agent {
  const ask = { name: 'ask_user', input: { question: 'Which year?', choices: ['1999', '2024'] } };
  return agentOf(
    'curious',
    (request) => {
      const answer = lastResult(request);
      return answer ? `The year is ${answer}.` : { text: 'I have begun.', calls: [ask] };
    },
    { ask: 'person', ...more },
  );
}

export function asksBack(door: Door): void {
  promise(door, ['ask back'], 'a question ends the run, is answered, and the run goes on', async () => {
    const agent = curious();
    const open = await door.open([agent]);
    const asked = await open.ask({ agent: 'curious', input: 'Go.' });
    expect(asked.status).toBe('needs_user_input');
    expect(asked.question).toMatch(/Which year\?.*1999.*2024/s);
    const answered = await open.answer(asked, '2024');
    expect(answered).toMatchObject({ status: 'completed', text: 'The year is 2024.', sessionId: asked.sessionId });
    expect(rolesIn(agent)).toEqual([['user'], ['user', 'assistant', 'tool']]);
    await open.close();
  });

  for (const depth of [1, 2]) {
    promise(door, ['ask back'], `${depth} below, the very one that asked goes on with its history`, async () => {
      const child = curious();
      const middle = depth === 1 ? child : leadOf('middle', child);
      const lead = leadOf('lead', middle);
      const open = await door.open([lead]);
      const asked = await open.ask({ agent: 'lead', input: 'Go.' });
      expect(asked.question).toContain('Which year?');
      const answered = await open.answer(asked, '1999');
      expect(answered.status).toBe('completed');
      expect(answered.text).toContain('The year is 1999.');
      // Two turns and no more: it began once, and went on with what it had said.
      expect(rolesIn(child)).toEqual([['user'], ['user', 'assistant', 'tool']]);
      expect((child.model as ScriptedModel).requests[1]?.messages).toMatchObject([
        {},
        { content: [{ type: 'text', text: 'I have begun.' }, {}] },
        {},
      ]);
      await open.close();
    });
  }

  promise(
    door,
    ['ask back', 'refuse an answer', 'name the class of a failure'],
    'an answer that is no choice is refused, and the question stays',
    async () => {
      const open = await door.open([curious()]);
      const asked = await open.ask({ agent: 'curious', input: 'Go.' });
      expect((await open.answer(asked, '1066')).failure?.class).toBe('usage');
      expect(await open.answer(asked, '1999')).toMatchObject({ status: 'completed', text: 'The year is 1999.' });
      await open.close();
    },
  );

  promise(
    door,
    ['ask back'],
    'who gives an answer that is no choice is told the choices, and no model hears of it',
    async () => {
      const agent = curious();
      const open = await door.open([agent]);
      const asked = await open.ask({ agent: 'curious', input: 'Go.' });
      const { question, failure } = await open.answer(asked, '1066');
      expect(question ?? failure?.message).toMatch(/1066.*1999.*2024/s);
      expect(rolesIn(agent)).toHaveLength(1);
      const answered = await open.answer(asked, '1999');
      expect(answered).toMatchObject({ status: 'completed', text: 'The year is 1999.', sessionId: asked.sessionId });
      expect(rolesIn(agent)).toEqual([['user'], ['user', 'assistant', 'tool']]);
      await open.close();
    },
  );

  promise(door, ['ask back', 'ask for a schema'], 'the form that was asked for holds after the question', async () => {
    const agent = agentOf(
      'curious',
      (request) => {
        const answer = lastResult(request);
        if (request.output.format === 'json') return '{"year":1999}';
        return answer ? `The year is ${answer}.` : call('ask_user', { question: 'Which year?', reason: undefined });
      },
      { ask: 'person' },
    );
    const open = await door.open([agent]);
    const schema = { type: 'object', properties: { year: { type: 'integer' } }, required: ['year'] };
    const asked = await open.ask({ agent: 'curious', input: 'Go.', schema });
    expect([asked.status, asked.report, asked.failure]).toEqual(['needs_user_input', undefined, undefined]);
    expect(await open.answer(asked, '1999')).toMatchObject({ status: 'completed', report: { year: 1999 } });
    await open.close();
  });
}

function rolesIn({ model }: Agent): readonly (readonly string[])[] {
  return (model as ScriptedModel).requests.map(({ messages }) => messages.map(({ role }) => role));
}
