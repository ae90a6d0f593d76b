// The promise: a session that asks something has not ended: it says since when it waits, which call waits, and what may be answered.

import { expect, test } from 'vitest';
import { call, resultsIn } from './support/calls.ts';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { headsIn } from './support/kept.ts';
import { served } from './support/served.ts';

const asking = { name: 'ask_user', input: { question: 'Which colour?', choices: ['red', 'blue'] } };

async function asked(lines: readonly string[] = ['agents: child.ai']) {
  const model = await served((request) => {
    const [result] = resultsIn(request);
    if (request.system.includes('You are the lead') && lines.includes('agents: child.ai'))
      return result === undefined ? { calls: [call('agent__child', { text: 'go' })] } : `lead heard: ${result}`;
    return result === undefined ? { text: 'I must ask.', calls: [asking] } : `it is ${result}`;
  });
  const cwd = await folderWith({
    'lead.ai': agentFile(['models: local/m', ...lines], 'You are the lead.'),
    'child.ai': agentFile(['models: local/m', 'description: helps', 'ask: person'], 'You are the child.'),
    '.ai-agent.json': localProvider(model.baseUrl),
  });
  expect((await run(['lead.ai', 'Paint it'], { cwd })).code).toBe(6);
  const [head] = await headsIn(cwd);
  const look = async (...args: readonly string[]) =>
    (await run(['sessions', args[0] ?? '', head?.id ?? '', ...args.slice(1)], { cwd })).stdout;
  return { look };
}

test('since when, and the call that waits', async () => {
  const { look } = await asked();
  const shown = await look('show');
  expect(shown).toMatch(/^begun +\S+ \S+, waits since \S+ \S+$/m);
  expect(shown).not.toContain('ended');
  const tree = await look('tree');
  expect(tree).toMatch(
    /\n`- 1\. child "r": needs_user_input.*\n {3}\|- 1\. model .*\n {3}`- 1\. tool ask_user: waiting\n$/,
  );
  const { trees } = JSON.parse(await look('tree', '--json'));
  expect(trees[0].turns[0].operations[1].session.turns[0].operations[1]).toMatchObject({
    label: 'ask_user',
    status: 'waiting',
  });
  await look('resume', '--answer', 'blue');
  const [, after = ''] = (await look('tree')).split('\nRound 2: ');
  expect(after).toMatch(/tool ask_user: 4 B/);
  expect(after).not.toContain('waiting');
});

test('on a page for people: the question with its choices, and nothing of how it is answered by models', async () => {
  const { look } = await asked();
  const page = await look('export', '--format', 'markdown');
  expect(page).toMatch(/^- Begun: .*, waits since /m);
  expect(page).toMatch(/\n## child asks\n\nWhich colour\?\n\n1\. red\n2\. blue\n$/);
  expect(page).not.toMatch(/resume|Result of/);
  expect(page.match(/^#+ child asks/gm)).toHaveLength(1);
  await look('resume', '--answer', 'blue');
  const after = await look('export', '--format', 'markdown');
  expect(after.match(/^### Result of /gm)).toHaveLength(1);
  expect(after.match(/^#+ child asks/gm)).toHaveLength(1);
  expect(after).toMatch(
    /## child asks\n\nWhich colour\?\n\n1\. red\n2\. blue\n\n## You\n\nblue\n\n### Result of agent__child\n\n```\nit is blue\n```\n\n## lead\n\nlead heard: it is blue\n$/,
  );
});

test('a question of the agent itself is read as a question, not as a call and its result', async () => {
  const { look } = await asked(['ask: person']);
  await look('resume', '--answer', 'blue');
  expect(await look('export', '--format', 'markdown')).toMatch(
    /## You\n\nPaint it\n\n## lead\n\nI must ask\.\n\n## lead asks\n\nWhich colour\?\n\n1\. red\n2\. blue\n\n## You\n\nblue\n\n## lead\n\nit is blue\n$/,
  );
});
