// The id of an agent file is a short hash of its path below the folder of the files that were named.

import { expect, test } from 'vitest';
import { agentFile, childFile, loadFiles } from './support/world.ts';

const files = { 'lead.ai': agentFile('agents: x/kid.ai'), 'x/kid.ai': childFile(), 'y/kid.ai': childFile() };

test('ids depend on the path below the team folder, and on nothing else', async () => {
  const first = await loadFiles(files, ['lead.ai']);
  const second = await loadFiles({ ...files, 'lead.ai': `${files['lead.ai']} More.` }, [
    'lead.ai',
    'x/kid.ai',
    'y/kid.ai',
  ]);
  const idsOf = ({ agents }: typeof first) =>
    agents.flatMap((one) => [one, ...one.children]).map(({ agent }) => agent.id);
  expect(idsOf(first)).toHaveLength(2);
  for (const id of idsOf(first)) expect(id).toMatch(/^[\da-f]{16}$/);
  expect(idsOf(second).slice(0, 2)).toEqual(idsOf(first));
  expect(new Set(idsOf(second)).size).toBe(3);
});

test('paths for people begin at the folder that all named files share', async () => {
  const { agents } = await loadFiles(files, ['x/kid.ai', 'y/kid.ai'], { purpose: 'check' });
  expect(agents.map(({ agent }) => agent.path)).toEqual(['x/kid', 'y/kid']);
  const [lead] = (await loadFiles(files, ['lead.ai'])).agents;
  expect([lead?.agent.path, lead?.children[0]?.agent.path]).toEqual(['lead', 'x/kid']);
});

test.each(['agents', 'advisors', 'handoff'])('%s may have the name of the file that names them', async (key) => {
  const { problems } = await loadFiles({ 'boss.ai': agentFile(`${key}: x/boss.ai`), 'x/boss.ai': childFile() }, [
    'boss.ai',
  ]);
  expect(problems).toEqual([]);
});
