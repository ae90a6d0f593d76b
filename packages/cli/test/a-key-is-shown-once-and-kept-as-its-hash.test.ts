// The promise: `ai-agent key` makes a random key, and the entry it prints lets in that key alone, without holding it.

import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { readApiSettings } from '@ai-agent/agents';
import { expect, test } from 'vitest';
import { folderWith, run } from './support/command.ts';

test('as a document: what belongs into the configuration is read by the server, and has no key in it', async () => {
  const cwd = await folderWith({});
  const { code, stdout, stderr } = await run(['key', 'web.site', '--json', '--agents', 'desk, support.*'], { cwd });
  expect([code, stderr]).toEqual([0, '']);
  const { name, key, hash, api } = JSON.parse(stdout);
  expect(name).toBe('web.site');
  expect(key).toMatch(/^aia_[\w-]{43}$/);
  expect(hash).toBe(`sha256:${createHash('sha256').update(key).digest('hex')}`);
  expect(JSON.stringify(api)).not.toContain(key);
  const folder = await folderWith({ '.ai-agent.json': { api } });
  const { settings, problems } = readApiSettings({ cwd: folder, env: {} });
  expect(problems).toEqual([]);
  expect(settings.keys).toEqual({ 'web.site': { hash, agents: ['desk', 'support.*'] } });
});

test('a publishable one says so by its first letters, and its entry has all that such a key needs', async () => {
  const words = ['key', 'site', '--json', '--origins', 'https://www.example.com', '--agents', 'note'];
  const { code, stdout } = await run([...words, '--requests-per-minute', '30'], { cwd: await folderWith({}) });
  const { key, hash, api } = JSON.parse(stdout);
  expect([code, /^pk-[\w-]{43}$/.test(key)]).toEqual([0, true]);
  const { settings, problems } = readApiSettings({ cwd: await folderWith({ '.ai-agent.json': { api } }), env: {} });
  expect(problems).toEqual([]);
  const entry = { hash, agents: ['note'], requestsPerMinute: 30, origins: ['https://www.example.com'] };
  expect(settings.keys).toEqual({ site: entry });
  const { agents: _agents, ...rest } = entry;
  for (const [wrong, problem] of [
    [rest, 'has origins, so that it may stand in pages, and needs agents too'],
    [{ ...entry, origins: ['*'] }, 'must be a list of origins such as https://www.example.com, at least one'],
  ] as const) {
    const cwd = await folderWith({ '.ai-agent.json': { api: { keys: { site: wrong } } } });
    expect(readApiSettings({ cwd, env: {} }).problems).toMatchObject([
      { severity: 'error', message: expect.stringContaining(problem) },
    ]);
  }
});

test('for people: the key on a line of its own, and an entry to copy; nothing is written, and no two are the same', async () => {
  const cwd = await folderWith({});
  const before = await readdir(cwd);
  const [one, other] = [await run(['key', 'desk'], { cwd }), await run(['key', 'desk'], { cwd })];
  const keyOf = (text: string) => /^ {2}(aia_\S+)$/m.exec(text)?.[1] ?? '';
  expect(keyOf(one.stdout)).not.toBe('');
  expect(keyOf(one.stdout)).not.toBe(keyOf(other.stdout));
  const [, entry = ''] = /\.ai-agent\.json:\n\n([\s\S]*)\n\nClients/.exec(one.stdout) ?? [];
  expect(JSON.parse(`{${entry}}`).api.keys.desk.hash).toMatch(/^sha256:[\da-f]{64}$/);
  expect(await readdir(cwd)).toEqual(before);
});

test.each([
  [['key']],
  [['key', 'a', 'b']],
  [['key', 'no name']],
  [['key', 'desk', '--agents', ',']],
  [['key', 'site', '--origins', 'https://a.example', '--agents', 'a']],
  [['key', 'site', '--origins', 'a.example', '--agents', 'a', '--requests-per-minute', '1']],
  [['key', 'site', '--requests-per-minute', '0']],
])('%j is no way to ask for one', async (words) => {
  const { code, stdout, stderr } = await run(words, { cwd: await folderWith({}) });
  expect([code, stdout]).toEqual([4, '']);
  expect(stderr).toContain('See ai-agent key --help.');
});
