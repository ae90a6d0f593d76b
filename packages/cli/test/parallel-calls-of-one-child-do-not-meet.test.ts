// T5: two calls of one child at once are two sessions with a number each, and neither knows of the other.

import { type AgentEvent, ask, asTool } from '@ai-agent/cli';
import { expect, test } from 'vitest';
import { throughEveryDoor } from './support/doors.ts';

throughEveryDoor('parallel calls of one child do not meet', (door) => {
  const { runtime } = door;
  const call = (text: string) => ({ name: 'child', input: { text, reason: `about ${text}` } });

  test('each is a fresh instance with its own history, in flight at the same time', async () => {
    let inFlight = 0;
    const { promise: together, resolve } = Promise.withResolvers<void>();
    const child = await door.agent('child', (request) => {
      if (++inFlight === 3) resolve();
      return {
        text: `saw ${request.messages.length} message: ${JSON.stringify(request.messages[0])}`,
        until: together,
      };
    });
    const lead = await door.agent(
      'lead',
      (request) => (request.messages.length > 1 ? 'done' : { calls: ['a', 'b', 'c'].map(call) }),
      { tools: [asTool(child)] },
    );
    const outcome = await ask(lead, 'go', { runtime });
    const texts = outcome.conversations[outcome.sessionId]
      ?.find((message) => message.role === 'tool')
      ?.content.map((part) => ('text' in part ? part.text : ''));
    expect(texts?.map((text) => /saw 1 message.*"text":"([abc])"/.exec(text)?.[1])).toEqual(['a', 'b', 'c']);
  });

  test('instances are numbered within the parent’s session; the number shows when a turn has several, and is never part of a path', async () => {
    const child = await door.agent('child', () => 'fine');
    const script = (_: unknown, turn: number) =>
      turn === 1 ? { calls: [call('a'), call('b')] } : turn === 2 ? { calls: [call('c')] } : 'done';
    const lead = await door.agent('lead', script, { tools: [asTool(child)] });
    const events: AgentEvent[] = [];
    const outcome = await ask(lead, 'go', { runtime, onEvent: (event) => events.push(event) });
    const starts = events
      .filter((event) => event.type === 'session-start' && event.trace.parentId !== null)
      .map(({ trace }) => [trace.instanceName, trace.callPath]);
    expect(starts).toEqual([
      ['child[1]', 'lead:child'],
      ['child[2]', 'lead:child'],
      ['child', 'lead:child'],
    ]);
    expect(Object.keys(outcome.ledger.byName)).toEqual(['lead', 'child']);
    expect(new Set(Object.keys(outcome.conversations)).size).toBe(4);
  });
});
