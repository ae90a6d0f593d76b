// The promise: --save-all keeps what was said in every session, however the run ended, and never in the place of another run.

import { rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, promptIn, resultsIn } from './support/calls.ts';
import { agentFile, folderWith, localProvider, run, start } from './support/command.ts';
import { listening, served } from './support/served.ts';

const canary = 'Zx9canaryQ7vT';

const team = (baseUrl: string, lead: readonly string[] = []) => ({
  'desk.ai': agentFile(['models: local/m', 'agents: part.ai', ...lead], 'You lead.'),
  'part.ai': agentFile(['description: A part', 'models: local/m', 'maxRetries: 1'], 'You help.'),
  '.ai-agent.env': `MY_KEY=${canary}\n`,
  '.ai-agent.json': localProvider(baseUrl, { apiKey: `$\{MY_KEY}` }),
});

/** Twice the same sub-agent, side by side. */
const twice = { calls: [call('agent__part', { text: 'one' }), call('agent__part', { text: 'two' })] };

const savedIn = async (folder: string) => {
  const runs = (await readdir(folder)).sort();
  return Promise.all(
    runs.map(async (name) => {
      const files = (await readdir(join(folder, name))).sort();
      const texts = await Promise.all(files.map((file) => readFile(join(folder, name, file), 'utf8')));
      return { name, files, texts, saved: texts.map((text) => JSON.parse(text)) };
    }),
  );
};

test('a file for each session, in the order in which they began, in a folder for each run', async () => {
  const model = await served((request) =>
    request.tools.length > 0 && resultsIn(request).length === 0 ? twice : `said, with ${canary}`,
  );
  const cwd = await folderWith(team(model.baseUrl));
  const first = await run(['desk.ai', '--save-all', 'new/kept', 'hello'], { cwd });
  expect(first.code).toBe(0);
  expect(first.stderr).toMatch(/^3 conversations are in new\/kept\/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}-\w+$/m);
  expect((await run(['desk.ai', '--save-all=new/kept', '-q', 'again'], { cwd })).stderr).toBe('');
  const [one, other] = await savedIn(join(cwd, 'new/kept'));
  expect(one?.files).toEqual(['001-desk.json', '002-desk.part-1.json', '003-desk.part-2.json']);
  expect(other?.files).toEqual(one?.files);
  expect(one?.saved).toMatchObject([
    {
      status: 'completed',
      trace: { callPath: 'desk', instanceName: 'desk' },
      messages: [
        { role: 'system', text: expect.stringContaining('You lead.') },
        { role: 'user', content: [{ text: 'hello' }] },
        { role: 'assistant' },
        { role: 'tool', content: [{ name: 'agent__part' }, { name: 'agent__part' }] },
        { role: 'assistant', content: [{ text: 'said, with ***' }] },
      ],
    },
    { trace: { callPath: 'desk:part' }, messages: [{ text: 'You help.' }, { content: [{ text: 'one' }] }, {}] },
    { trace: { callPath: 'desk:part' }, messages: [{ text: 'You help.' }, { content: [{ text: 'two' }] }, {}] },
  ]);
  expect(other?.saved[0].messages[1].content[0].text).toBe('again');
  expect([...(one?.texts ?? []), ...(other?.texts ?? [])].join('')).not.toContain(canary);
});

test('a run that failed, and one that a limit ended, are saved too', async () => {
  const model = await served((request) =>
    request.system.includes('You help.') ? { fail: { code: 'model-request-refused', message: 'no' } } : twice,
  );
  const cwd = await folderWith(team(model.baseUrl, ['maxTurns: 1']));
  expect((await run(['desk.ai', '-q', '--save-all', 'limited', 'hello'], { cwd })).code).toBe(5);
  expect((await run(['part.ai', '-q', '--save-all', 'failed', 'hello'], { cwd })).code).toBe(2);
  expect(await savedIn(join(cwd, 'limited'))).toMatchObject([{ saved: [{ status: 'partial', limit: 'maxTurns' }] }]);
  expect(await savedIn(join(cwd, 'failed'))).toMatchObject([
    { saved: [{ status: 'failed', failure: { message: expect.any(String) }, messages: { length: 2 } }] },
  ]);
});

test('one that was cancelled is saved as far as it came', async () => {
  let asked = () => {};
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const { url } = await listening(() => asked());
  const cwd = await folderWith(team(url));
  const { child, ended } = start(['part.ai', '-q', '--save-all', 'kept', 'hello'], { cwd });
  await isAsked;
  child.kill('SIGTERM');
  expect((await ended).code).toBe(130);
  expect(await savedIn(join(cwd, 'kept'))).toMatchObject([
    { files: ['001-part.json'], saved: [{ status: 'cancelled' }] },
  ]);
});

test('a folder that cannot be written is told before anybody is asked', async () => {
  const model = await served(promptIn);
  const cwd = await folderWith({ ...team(model.baseUrl), taken: 'a file' });
  for (const folder of ['taken', 'taken/below', '/proc/nothing', '']) {
    const { code, stdout, stderr } = await run(['part.ai', `--save-all=${folder}`, 'hello'], { cwd });
    expect([code, stdout]).toEqual([4, '']);
    expect(stderr).toMatch(
      /^failed \(usage\): --save-all .*(?:nothing can be written there|needs the name of a folder)/,
    );
  }
  expect(model.requests).toHaveLength(0);
});

test('a folder that is gone when the run is over costs nobody the answer', async () => {
  const cwd = await folderWith({});
  const model = await served((request) => {
    rmSync(join(cwd, 'kept'), { recursive: true });
    writeFileSync(join(cwd, 'kept'), 'a file');
    return promptIn(request);
  });
  for (const [name, text] of Object.entries(team(model.baseUrl)))
    await writeFile(join(cwd, name), typeof text === 'string' ? text : JSON.stringify(text));
  const ended = await run(['part.ai', '-q', '--save-all', 'kept', 'hello'], { cwd });
  expect([ended.code, ended.stdout]).toEqual([0, 'hello\n']);
  expect(ended.stderr).toMatch(/^The conversations could not be saved in kept\/.*\n$/);
});
