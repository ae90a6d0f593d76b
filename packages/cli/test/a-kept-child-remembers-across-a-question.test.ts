// A kept child goes on with its conversation also when its caller went away to ask, and came back as another session.

import { ask, asTool, defaultTexts, defineTool, type Outcome } from '@ai-agent/cli';
import { expect, test } from 'vitest';
import { anyArguments, call, resultsIn } from './support/calls.ts';
import { throughEveryDoor } from './support/doors.ts';

function resumeOf(outcome: Outcome): string {
  return outcome.status === 'needs_user_input' ? outcome.resume : `no question: ${JSON.stringify(outcome)}`;
}

throughEveryDoor('a kept child remembers across a question', (door) => {
  const { runtime } = door;

  test('whoever asks in between, and however often', async () => {
    const child = await door.agent(
      'child',
      ({ messages }) => {
        const asked = messages.flatMap((message) => (message.role === 'user' ? message.content : []));
        return asked.map((part) => (part.type === 'text' ? part.text : '')).join('+');
      },
      { hold: 'kept' },
    );
    const drop = defineTool({
      name: 'drop',
      inputSchema: anyArguments,
      needsApproval: true,
      execute: () => 'dropped',
    });
    const seen: string[] = [];
    const turns = ['a', '', 'b', '', 'c'];
    const lead = await door.agent(
      'lead',
      (request) => {
        seen.push(...resultsIn(request));
        const text = turns[seen.length];
        if (text === undefined) return seen.join('; ');
        return { calls: [text === '' ? { name: 'drop' } : call('child', { text })] };
      },
      { tools: [asTool(child), drop] },
    );
    const first = await ask(lead, 'go', { runtime });
    const second = await ask(lead, 'yes', { runtime, resume: resumeOf(first) });
    const third = await ask(lead, 'yes', { runtime, resume: resumeOf(second) });
    expect(third.text).toBe('a; dropped; a+b; dropped; a+b+c');
    // What was said in an earlier run is not told as this one's.
    expect(Object.keys(third.conversations)).toHaveLength(2);
  });

  test('the child that asks itself is gone on with, and remembers that too', async () => {
    const child = await door.agent(
      'child',
      ({ messages }) =>
        messages.length === 3
          ? { calls: [{ name: 'ask_user', input: { question: 'Which?' } }] }
          : messages.map(({ role }) => role[0]).join(''),
      { hold: 'kept', ask: 'person' },
    );
    const seen: string[] = [];
    const lead = await door.agent(
      'lead',
      (request) => {
        seen.push(...resultsIn(request));
        return seen.length < 3 ? { calls: [call('child', { text: 'x' })] } : seen.join('; ');
      },
      { tools: [asTool(child)] },
    );
    const first = await ask(lead, 'go', { runtime });
    const second = await ask(lead, 'this', { runtime, resume: resumeOf(first) });
    expect(second.text).toBe('u; uauat; uauatau');
  });

  test('a call that asks anew instead of answering goes on, and the question has no answer', async () => {
    const seen: string[] = [];
    let told = '';
    const child = await door.agent(
      'child',
      ({ messages }) => {
        seen.push(messages.map(({ role }) => role).join(' '));
        told = messages.flatMap((one) => (one.role === 'tool' ? one.content.map(({ text }) => text) : [])).join('');
        return messages.length === 1 ? { calls: [{ name: 'ask_user', input: { question: 'Which?' } }] } : 'without';
      },
      { hold: 'kept', ask: 'caller' },
    );
    const lead = await door.agent(
      'lead',
      (_, number) => (number < 3 ? { calls: [call('child', { text: 'x' })] } : 'end'),
      { tools: [asTool(child)] },
    );
    expect(await ask(lead, 'go', { runtime })).toMatchObject({ status: 'completed' });
    // A call without its result is refused by every provider.
    expect(seen).toEqual(['user', 'user assistant tool user']);
    expect(told).toContain(defaultTexts.interruptedCall);
  });
});
