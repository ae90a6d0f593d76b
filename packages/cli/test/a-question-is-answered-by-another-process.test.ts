// The promise: a run that ends with a question says how to answer it, and another process that does goes on with the very child.

import { expect, test } from 'vitest';
import { call, resultsIn } from './support/calls.ts';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { headsIn } from './support/kept.ts';
import { startInTerminal } from './support/pty.ts';
import { served } from './support/served.ts';

/** A lead, a child and a grandchild that asks; what the grandchild had done is in its history. */
async function family() {
  const model = await served((request) => {
    const results = resultsIn(request);
    const said = JSON.stringify(request.messages);
    if (request.system.includes('You are deep'))
      return said.includes('The blue one')
        ? `deep knows: blue, after ${request.messages.length} messages`
        : { text: 'I looked, and must ask.', calls: [{ name: 'ask_user', input: { question: 'Which colour?' } }] };
    const name = request.system.includes('You are the lead') ? 'middle' : 'deep';
    return results.length > 0 ? `${name} said: ${results[0]}` : { calls: [call(`agent__${name}`, { text: 'go' })] };
  });
  const cwd = await folderWith({
    'lead.ai': agentFile(['models: local/m', 'agents: middle.ai'], 'You are the lead.'),
    'middle.ai': agentFile(['models: local/m', 'description: middle', 'agents: deep.ai'], 'You are in the middle.'),
    'deep.ai': agentFile(['models: local/m', 'description: deep', 'ask: person'], 'You are deep.'),
    '.ai-agent.json': localProvider(model.baseUrl),
  });
  return { cwd, model };
}

test('exit code 6, a command to paste, and the answer of the whole tree', async () => {
  const { cwd, model } = await family();
  const asked = await run(['lead.ai', 'go'], { cwd });
  expect(asked).toMatchObject({ code: 6, stdout: '' });
  expect(asked.stderr).toContain('Which colour?');
  const [head] = await headsIn(cwd);
  expect(head).toMatchObject({ status: 'needs_user_input', question: { text: 'Which colour?' } });
  expect(asked.stderr).toContain(`What to do: Answer it: ai-agent sessions resume ${head?.id} --answer "…"\n`);
  const before = model.requests.length;
  const args = ['sessions', 'resume', head?.id.slice(0, 5) ?? '', '--answer', 'The blue one'];
  const answered = await run(args, { cwd });
  expect(answered).toMatchObject({ code: 0 });
  expect(answered.stdout).toMatch(/^middle said: deep said: deep knows: blue, after \d messages\n$/);
  // The grandchild, its parent, the root: nobody begins anew.
  expect(model.requests.length - before).toBe(3);
  expect(await headsIn(cwd)).toMatchObject([{ id: head?.id, status: 'completed', resumptions: 1 }]);
  const again = await run([...args.slice(0, 3), '--answer', 'Red'], { cwd });
  expect(again.code).toBe(4);
  expect(again.stderr).toContain('"Which colour?" was answered with "The blue one"');
  const id = head?.id ?? '';
  for (const word of ['show', 'tree'])
    expect((await run(['sessions', word, id], { cwd })).stdout).toContain(
      '\nRound 2: The blue one (the answer to: Which colour?)\n',
    );
  const markdown = (await run(['sessions', 'export', id, '--format', 'markdown'], { cwd })).stdout;
  expect(markdown).toContain('\n## deep asks\n\nWhich colour?\n\n## You\n\nThe blue one\n');
  expect(markdown.match(/^## You/gm)).toHaveLength(2);
});

test('a number stands for a choice, a word for itself', async () => {
  const model = await served((request) => resultsIn(request).at(-1) ?? { calls: [asking] });
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m', 'ask: person']),
    '.ai-agent.json': localProvider(model.baseUrl),
  });
  await run(['desk.ai', 'one'], { cwd });
  expect((await run(['desk.ai', '--continue', '9'], { cwd })).stderr).toContain('a number from 1 to 3, or the word');
  expect((await run(['desk.ai', '--continue', '2'], { cwd })).stdout).toBe('blue\n');
  const answers = { '1': '1', '3': '1', BLUE: 'blue' };
  for (const [said, meant] of Object.entries(answers)) {
    await run(['desk.ai', 'again'], { cwd });
    const [head] = await headsIn(cwd);
    expect((await run(['sessions', 'resume', head?.id ?? '', '--answer', said], { cwd })).stdout).toBe(`${meant}\n`);
  }
});

const asking = { name: 'ask_user', input: { question: 'Which?', choices: ['red', 'blue', '1'] } };

test('--continue answers it too; without an answer it is shown again', async () => {
  const { cwd } = await family();
  await run(['lead.ai', 'go'], { cwd });
  const [head] = await headsIn(cwd);
  const shown = await run(['sessions', 'resume', head?.id ?? ''], { cwd });
  expect(shown).toMatchObject({ code: 6, stdout: '' });
  expect(shown.stderr).toContain('Which colour?');
  expect((await run(['sessions', 'show', head?.id ?? ''], { cwd })).stdout).toContain('Which colour?');
  const answered = await run(['lead.ai', '--continue', 'The blue one'], { cwd });
  expect(answered.stdout).toContain('deep knows: blue');
});

test('at a terminal it is asked there', async () => {
  const { cwd } = await family();
  await run(['lead.ai', 'go'], { cwd });
  const [head] = await headsIn(cwd);
  const terminal = startInTerminal(['sessions', 'resume', head?.id ?? ''], { cwd });
  await terminal.shows('Which colour?');
  await terminal.shows('> ');
  terminal.type('The blue one\r');
  expect(await terminal.ended).toBe(0);
  expect(terminal.history().join('\n')).toContain('deep knows: blue');
});

test('a file that is another agent is refused', async () => {
  const { cwd } = await family();
  await run(['lead.ai', 'go'], { cwd });
  const [head] = await headsIn(cwd);
  const refused = await run(['sessions', 'resume', head?.id ?? '', '--answer', 'x', '--agent-file', 'deep.ai'], {
    cwd,
  });
  expect(refused.code).toBe(4);
  expect(refused.stderr).toContain('is one of lead, not of deep');
});
