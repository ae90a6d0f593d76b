// A budget that a flag sets holds after a question is answered, in another process, unless the answer comes with another budget.

import { expect, test } from 'vitest';
import { call, resultsIn } from './support/calls.ts';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { served } from './support/served.ts';

const asking = { name: 'ask_user', input: { question: 'Which?' } };

const cut = { code: 5, stdout: 'As far as I know.\n' };
const whole = { code: 0, stdout: 'All of it.\n' };

test.each([
  ['none', [], [], cut],
  ['none, and the file has a larger one', [], ['budget:', '  turns: 9'], cut],
  ['a larger one', ['--budget-turns', '9'], [], whole],
  ['a larger one than that of the file', ['--budget-turns', '9'], ['budget:', '  turns: 2'], whole],
])('the answer comes with %s', async (_, flags, lines, expected) => {
  const model = await served((request) => {
    const [result] = resultsIn(request);
    if (request.system.includes('You are the kid.')) return 'Found.';
    if (request.tools.length === 0) return 'As far as I know.';
    if (result === 'Found.') return 'All of it.';
    return { calls: [result === undefined ? asking : call('agent__kid', { text: 'go' })] };
  });
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m', 'ask: person', 'agents: kid.ai', ...lines]),
    'kid.ai': agentFile(['models: local/m', 'description: Finds'], 'You are the kid.'),
    '.ai-agent.json': localProvider(model.baseUrl),
  });
  expect(await run(['desk.ai', 'go', '--budget-turns', '3'], { cwd })).toMatchObject({ code: 6 });
  expect(await run(['desk.ai', '--continue', 'This one', ...flags], { cwd })).toMatchObject(expected);
});
