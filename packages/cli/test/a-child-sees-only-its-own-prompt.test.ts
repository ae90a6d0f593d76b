// T2: nothing of the caller leaks into the child, and nothing of one call into another.

import { ask, asTool, type ModelRequest } from '@ai-agent/cli';
import { expect, test } from 'vitest';
import { throughEveryDoor } from './support/doors.ts';

throughEveryDoor('a child sees its own prompt and its call’s arguments, nothing else', (door) => {
  const { runtime } = door;

  test('not the system prompt, the messages, the reason, the tools or the results of its caller', async () => {
    const seen: ModelRequest[] = [];
    const script = (request: ModelRequest) => {
      seen.push(request);
      return 'child done';
    };
    const child = await door.agent('child', script, { instructions: 'You are the CHILD.' });
    const other = { name: 'other', inputSchema: { type: 'object' }, execute: () => 'RESULT-OF-OTHER' };
    const lead = await door.agent(
      'lead',
      (request, call) => {
        if (call === 1) return { text: 'THOUGHT-OF-LEAD', calls: [{ name: 'other' }] };
        return call < 4
          ? { calls: [{ name: 'child', input: { text: `task ${call}`, reason: 'SECRET-REASON' } }] }
          : `done ${request.messages.length}`;
      },
      { instructions: 'You are the LEAD with SECRET-PROMPT.', tools: [asTool(child), other] },
    );
    const outcome = await ask(lead, 'SECRET-QUESTION', { runtime });
    expect(outcome.status).toBe('completed');
    expect(seen).toHaveLength(2);
    for (const [i, request] of seen.entries()) {
      expect(request.system).toBe('You are the CHILD.');
      expect(request.tools).toEqual([]);
      expect(request.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: `task ${i + 2}` }] }]);
      expect(JSON.stringify(request)).not.toMatch(/SECRET|LEAD|OTHER|THOUGHT/);
    }
  });

  test('and the caller sees its report, not its conversation', async () => {
    const tool = { name: 'look', inputSchema: { type: 'object' }, execute: () => 'HIDDEN-DETAIL' };
    const child = await door.agent(
      'child',
      (_, call) => (call === 1 ? { text: 'HIDDEN-THOUGHT', calls: [{ name: 'look' }] } : 'the report'),
      { tools: [tool] },
    );
    const seen: ModelRequest[] = [];
    const lead = await door.agent(
      'lead',
      (request, call) => {
        seen.push(request);
        return call === 1 ? { calls: [{ name: 'child', input: { text: 'go', reason: 'r' } }] } : 'done';
      },
      { tools: [asTool(child)] },
    );
    const outcome = await ask(lead, 'go', { runtime });
    expect(JSON.stringify(seen)).not.toContain('HIDDEN');
    expect(JSON.stringify(seen[1]?.messages)).toContain('the report');
    expect(JSON.stringify(outcome.conversations)).toContain('HIDDEN-DETAIL');
  });
});
