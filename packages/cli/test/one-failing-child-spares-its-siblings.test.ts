// T6: a failure is a result; whoever works beside it finishes, and the caller reads both.

import { ask, asTool, defineTool } from '@ai-agent/cli';
import { expect, test } from 'vitest';
import { throughEveryDoor } from './support/doors.ts';

throughEveryDoor('one failing child spares its siblings', (door) => {
  const { runtime } = door;

  test.concurrent('children that fail early, a tool that throws and a call that is refused leave the others alone', async () => {
    const { promise: othersFailed, resolve } = Promise.withResolvers<void>();
    const slow = await door.agent('slow', () => ({ text: 'slow but fine', until: othersFailed }));
    const broken = await door.agent('broken', () => ({ fail: { code: 'model-unavailable', message: 'overloaded' } }));
    const boom = defineTool({
      name: 'boom',
      inputSchema: { type: 'object' },
      execute: () => {
        setTimeout(resolve, 20);
        throw new TypeError('boom went off');
      },
    });
    const calls = [
      { name: 'slow', input: { text: 'go', reason: 'r' } },
      { name: 'broken', input: { text: 'go', reason: 'r' } },
      { name: 'boom' },
      { name: 'slow', input: { no: 'reason' } },
    ];
    const lead = await door.agent('lead', (request) => (request.messages.length > 1 ? 'made do' : { calls }), {
      tools: [asTool(slow), asTool(broken), boom],
    });
    const outcome = await ask(lead, 'go', { runtime });
    expect(outcome).toMatchObject({ status: 'completed', text: 'made do' });
    const results = outcome.conversations[outcome.sessionId]?.find((message) => message.role === 'tool')?.content ?? [];
    expect(results.map((part) => part.type === 'tool-result' && part.isError)).toEqual([false, true, true, true]);
    const texts = results.map((part) => (part.type === 'tool-result' ? part.text : ''));
    expect(texts[0]).toBe('slow but fine');
    expect(texts[1]).toMatch(/Failed \(model\): .*overloaded[\s\S]*What to do:/);
    expect(texts[2]).toMatch(/Failed \(tool\): boom went off/);
    expect(texts[3]).toMatch(/lacks "reason"/);
  });

  test.concurrent('what a failing child had produced is kept', async () => {
    const tool = { name: 'look', inputSchema: { type: 'object' }, execute: () => 'x' };
    const child = await door.agent(
      'child',
      (_, call) =>
        call === 1
          ? { text: 'Half of the answer.', calls: [{ name: 'look' }] }
          : { fail: { code: 'model-rate-limit' } },
      { tools: [tool] },
    );
    const lead = await door.agent(
      'lead',
      (request) =>
        request.messages.length > 1 ? 'done' : { calls: [{ name: 'child', input: { text: 'go', reason: 'r' } }] },
      { tools: [asTool(child)] },
    );
    const outcome = await ask(lead, 'go', { runtime });
    const result = outcome.conversations[outcome.sessionId]?.find((message) => message.role === 'tool')?.content[0];
    expect(result && 'text' in result && result.text).toMatch(/Failed \(rate_limit\)[\s\S]*Half of the answer\./);
  });
});
