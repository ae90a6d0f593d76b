// What a pool has prepared is closed when its run ends, however that ends.

import { AIAgentSession, asTool, defineTool, type ToolSourceFactory } from '@ai-agent/cli';
import { expect, test, vi } from 'vitest';
import { anyArguments, call, resultsIn } from './support/calls.ts';
import { throughEveryDoor } from './support/doors.ts';

throughEveryDoor('a pool is closed with its run', (door) => {
  const { runtime } = door;

  /** The second call of the child hangs in its tool. */
  const plant = async () => {
    const lives = { made: 0, closed: 0 };
    const { promise: hangs, resolve } = Promise.withResolvers<void>();
    let calls = 0;
    const execute = () => {
      if (++calls < 2) return 'worked';
      resolve();
      return new Promise<string>(() => {});
    };
    const source: ToolSourceFactory = () => {
      lives.made++;
      return {
        list: () => [defineTool({ name: 'work', inputSchema: anyArguments, execute })],
        close: () => void lives.closed++,
      };
    };
    const child = await door.agent('child', (request) => resultsIn(request)[0] ?? { calls: [{ name: 'work' }] }, {
      hold: { pool: 2 },
      tools: [source],
    });
    const lead = await door.agent(
      'lead',
      (request) => (request.tools.length === 0 ? 'end' : { calls: [call('child', { text: 'x' })] }),
      { tools: [asTool(child)] },
    );
    return { lead, lives, hangs };
  };

  test.each([
    ['cancel', 'cancelled'],
    ['stop', 'partial'],
  ] as const)('after a %s in the middle of a call', async (end, status) => {
    const { lead, lives, hangs } = await plant();
    const run = new AIAgentSession({ agent: lead, runtime }).run('go');
    await hangs;
    expect(lives).toEqual({ made: 1, closed: 0 });
    run[end]();
    expect((await run.outcome).status).toBe(status);
    await vi.waitFor(() => expect(lives).toEqual({ made: 1, closed: 1 }));
  });
});
