// check: what is missing in a frontmatter comes with the line to add; --warnings-as-errors makes warnings errors.

import { expect, test } from 'vitest';
import { agentFile, folderWith, run } from './support/command.ts';

const desk = { 'desk.ai': agentFile(['description: Helps.', 'models: offline/demo']) };

test('missing usage and output are warnings with the line to add', async () => {
  const { code, stdout } = await run(['check', 'desk.ai'], { cwd: await folderWith(desk) });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^desk\.ai: warning: usage: is missing.* add the line `usage: .+`$/m);
  expect(stdout).toMatch(/^desk\.ai: warning: output: is missing.* add the line `output: \{ format: text \}`$/m);
});

test('the lines, added, are all that was missing', async () => {
  const cwd = await folderWith(desk);
  const { stdout } = await run(['check', 'desk.ai'], { cwd });
  const lines = [...stdout.matchAll(/add the line `(.+)`$/gm)].map(([, line = '']) => line);
  const mended = await folderWith({ 'desk.ai': agentFile(['description: Helps.', 'models: offline/demo', ...lines]) });
  expect(await run(['check', 'desk.ai'], { cwd: mended })).toMatchObject({
    code: 0,
    stdout: '1 agent checked: 0 errors, 0 warnings\n',
  });
});

test('--warnings-as-errors ends with 1 where there is a warning, and with 0 where there is none', async () => {
  const cwd = await folderWith(desk);
  const { code, stdout } = await run(['check', 'desk.ai', '--warnings-as-errors'], { cwd });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^desk\.ai: error: usage: is missing/m);
  expect(stdout).toMatch(/^1 agent checked: 2 errors, 0 warnings$/m);
  const { stdout: json } = await run(['check', 'desk.ai', '--warnings-as-errors', '--json'], { cwd });
  expect(JSON.parse(json)).toMatchObject({
    errors: 2,
    warnings: 0,
    problems: [{ severity: 'error' }, { severity: 'error' }],
  });
  const whole = await folderWith({
    'desk.ai': agentFile(['description: Helps.', 'usage: x', 'output: { format: text }', 'models: offline/demo']),
  });
  expect(await run(['check', 'desk.ai', '--warnings-as-errors'], { cwd: whole })).toMatchObject({ code: 0 });
});

test('a missing description is a warning, and an error where the configuration says that the agent is served', async () => {
  const files = { 'desk.ai': '---\nusage: x\noutput: { format: text }\nmodels: offline/demo\n---\nYou answer.\n' };
  const alone = await run(['check', 'desk.ai'], { cwd: await folderWith(files) });
  expect(alone.code).toBe(0);
  expect(alone.stdout).toMatch(/^desk\.ai:1: warning: description: is missing.*add the line `description: .+`$/m);
  const listed = await run(['check'], {
    cwd: await folderWith({ ...files, '.ai-agent.json': { agents: ['desk.ai'] } }),
  });
  expect(listed.code).toBe(1);
  expect(listed.stdout).toMatch(/^desk\.ai:1: error: description: is missing/m);
});

test('serve refuses an agent without a description; a run does not', async () => {
  const cwd = await folderWith({ 'desk.ai': '---\nmodels: offline/demo\n---\nYou answer.\n' });
  const served = await run(['serve', 'desk.ai', '--port', '0'], { cwd });
  expect(served.code).toBe(1);
  expect(served.stderr).toMatch(/^desk\.ai:1: error: description: is missing.*add the line `description: .+`$/m);
  expect((await run(['desk.ai', 'Hello'], { cwd })).code).toBe(0);
});
