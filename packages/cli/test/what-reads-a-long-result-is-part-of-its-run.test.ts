// The promise: whoever reads a long result is cancelled with its run, counted once, and stopped by its budgets.

import { AIAgentSession, ask } from '@ai-agent/cli';
import { expect, test } from 'vitest';
import { nextTick, throughEveryDoor } from './support/doors.ts';
import { giving, reads, smallWindow, whoAsks } from './support/long-results.ts';

const log = 'a quiet day at sea\n'.repeat(400);
const whole = { extract: 'accidents', mode: 'full-chunked' };

throughEveryDoor('what reads a long result', (door) => {
  const { runtime } = door;

  test('is cancelled with its run', async () => {
    const { script, requests } = reads(whole, { part: () => ({ until: new Promise(() => {}) }) });
    const agent = await door.agent('lead', script, { tools: [giving(log)], ...smallWindow });
    const { outcome, cancel } = new AIAgentSession({ agent, runtime }).run('go');
    while (requests.filter((request) => whoAsks(request) === 'part').length < 4) await nextTick();
    cancel('enough');
    const ended = await outcome;
    expect(ended).toMatchObject({ status: 'cancelled' });
    const operations = ended.tree?.turns.flatMap((turn) => turn.operations) ?? [];
    const inside = operations.flatMap((one) => (one.type === 'tool' ? (one.inside ?? []) : []));
    expect(inside.map(({ trace, status }) => `${trace.agentName} ${status}`)).toEqual(
      Array(4).fill('tool_output cancelled'),
    );
    expect(ended.usage).toEqual(ended.ledger.total);
  });

  test('is counted once, in the ledger and in what its caller used', async () => {
    const { script, requests } = reads(whole);
    const agent = await door.agent('lead', script, { tools: [giving(log)], ...smallWindow });
    const { usage, ledger } = await ask(agent, 'go', { runtime });
    expect(usage).toEqual(ledger.total);
    expect(usage.modelCalls).toBe(requests.length);
    expect(ledger.entries.filter((entry) => entry.type === 'model')).toHaveLength(requests.length);
  });

  test('is not begun when a budget has no room for it, and the caller is told why it gets no more than both ends', async () => {
    const { script, results } = reads(whole);
    const agent = await door.agent('lead', script, { tools: [giving(log)], ...smallWindow });
    const outcome = await ask(agent, 'go', { runtime, budget: { descendants: 2 } });
    expect(outcome).toMatchObject({ status: 'completed', text: 'done' });
    expect(results[1]).toMatch(/^\[Nobody has read it: that would be done in \d+ parts, .* and 1 is the most/);
    expect(results[1]).toContain('[Cut here: of the 7600 bytes');
  });
});
