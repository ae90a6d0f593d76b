// The promise: a list, a page and a document say the same of a session, also of one that was killed and gone on with: what is unknown stays so.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { agentFile, folderWith, localProvider, run, start } from './support/command.ts';
import { factsIn, headsIn } from './support/kept.ts';
import { served } from './support/served.ts';

test('tokens, time at work, and the times of the whole', { timeout: 60_000 }, async () => {
  const never = new Promise<void>(() => {});
  const model = await served(({ messages }) =>
    messages.length === 1 ? { text: 'never', until: never } : `heard ${messages.length}`,
  );
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m']),
    '.ai-agent.json': localProvider(model.baseUrl),
  });
  const killed = start(['desk.ai', 'one'], { cwd });
  await expect.poll(() => model.inFlight, { timeout: 20_000 }).toBe(1);
  const told = async () => {
    const [head] = await headsIn(cwd);
    return head ? (await factsIn(cwd, head.id)).map(({ type }) => type) : [];
  };
  await expect.poll(told, { timeout: 20_000 }).toContain('model-start');
  killed.child.kill('SIGKILL');
  await killed.ended;
  const list = async () => (await run(['sessions', 'list'], { cwd })).stdout.split('\n')[1] ?? '';
  expect(await list()).toMatch(/ interrupted +1 +\S+ s +0\+\? +unknown +one$/);
  const [left] = await headsIn(cwd);
  const id = left?.id ?? '';
  // Nobody works on it meanwhile.
  await sleep(1_500);
  expect((await run(['sessions', 'resume', id, 'two', '-q'], { cwd })).code).toBe(0);
  expect(await list()).toMatch(/ completed +2 +\S+ s +15\+\? +unknown +one$/);
  const { stdout } = await run(['sessions', 'show', id], { cwd });
  const [, seconds] = /^total +2 +2 +0 +10\+\? +5\+\? +unknown +(\d+\.\d) s$/m.exec(stdout) ?? [];
  expect(Number(seconds)).toBeLessThan(1.5);
  const document = JSON.parse((await run(['sessions', 'show', id, '--json'], { cwd })).stdout);
  const { startedAt, endedAt, workMs, usage, ledger, earlier, tree } = document;
  expect(usage).toMatchObject({ modelCalls: 2, unknownUsageCalls: 1, inputTokens: 10 });
  expect((await headsIn(cwd))[0]?.usage).toMatchObject({ modelCalls: 2, unknownUsageCalls: 1, inputTokens: 10 });
  expect(ledger.total).toEqual(usage);
  expect(startedAt).toBe(earlier[0].startedAt);
  expect(endedAt).toBe(tree.endedAt);
  expect(endedAt - startedAt).toBeGreaterThan(1_500);
  expect(workMs).toBeLessThan(1_500);
  const page = (await run(['sessions', 'export', id, '--format', 'markdown'], { cwd })).stdout;
  expect(page).toContain('- Used: 10+? in + 5+? out tokens (1 request of unknown usage), ');
  expect(page).toMatch(/## You\n\none\n\n\*\(interrupted\)\*\n\n## You\n\ntwo\n\n## desk\n\nheard \d\n$/);
});
