// The promise: keys of the configuration are those of the server, on all of its ports; nothing it says or keeps has one in it.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashOfKey } from '@ai-agent/agents';
import { expect, test } from 'vitest';
import { agentFile, folderWith, run } from './support/command.ts';
import { serving } from './support/serving.ts';

const website = 'aia_website-0123456789abcdefghijklmnop';
const older = 'an-older-key-0123456789';

const agents = {
  'desk.ai': agentFile(['models: offline/demo']),
  'vault.ai': agentFile(['models: offline/demo']),
};

const shown = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });

test('who may come in, whom it may call, how often; every port counts together', async () => {
  const cwd = await folderWith({
    ...agents,
    '.ai-agent.json': {
      api: {
        keys: { website: { hash: `\${WEBSITE_HASH}`, agents: ['desk'], requestsPerMinute: 2 } },
        bearerKeys: [`\${OLDER_KEY}`],
        cors: ['https://app.example'],
      },
    },
  });
  const env = { WEBSITE_HASH: hashOfKey(website), OLDER_KEY: older };
  const server = await serving(['serve', '.', '--port', '0', '--api', '0', '--verbose'], { cwd, env });
  const [first, second] = server.ports.map((port) => `http://127.0.0.1:${port}`);
  const ask = async (url: string | undefined, agent: string, init?: RequestInit) =>
    (await fetch(`${url}/v1/${agent}?q=hello`, init)).status;
  expect([await ask(first, 'desk'), await ask(second, 'desk')]).toEqual([401, 401]);
  expect(await ask(first, 'desk', shown('wrong-key-0123456789'))).toBe(401);
  expect(await ask(first, 'vault', shown(website))).toBe(403);
  expect([await ask(first, 'desk', shown(website)), await ask(second, 'desk', shown(website))]).toEqual([200, 200]);
  expect([await ask(first, 'desk', shown(website)), await ask(second, 'desk', shown(website))]).toEqual([429, 429]);
  expect(await ask(second, 'vault', shown(older))).toBe(200);
  const page = await server.get('/v1', { headers: { ...shown(older).headers, origin: 'https://app.example' } });
  expect(page.headers.get('access-control-allow-origin')).toBe('https://app.example');
  await expect
    .poll(() => server.log().filter(({ event }) => event === 'run'))
    .toMatchObject([
      { agent: 'desk', key: 'website' },
      { agent: 'desk', key: 'website' },
      { agent: 'vault', key: 'bearer-1' },
    ]);
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  const said = server.stdout() + server.stderr() + (await textsBelow(cwd));
  for (const secret of [website, older, hashOfKey(website), 'wrong-key-0123456789']) expect(said).not.toContain(secret);
});

test.each([
  ['no key in keys', { keys: {} }, 'api.keys: is empty'],
  ['a key where its hash belongs', { keys: { website: { hash: website } } }, 'api.keys.website.hash: must be sha256:'],
  ['a variable that nobody defines', { keys: { website: { hash: `\${NOBODY}` } } }, 'Missing: NOBODY'],
  ['a word spelt wrong', { keys: { website: { hash: hashOfKey(website), agent: ['desk'] } } }, 'did you mean agents'],
])('%s: nobody listens', async (_, api, words) => {
  const cwd = await folderWith({ ...agents, '.ai-agent.json': { api } });
  const { code, stderr, stdout } = await run(['serve', '.', '--port', '0'], { cwd });
  expect([code, stderr]).toEqual([1, expect.stringContaining(words)]);
  expect(stdout + stderr).not.toContain(website);
});

test('beyond this machine only with keys, or when told plainly', async () => {
  const cwd = await folderWith(agents);
  const { code, stderr } = await run(['serve', '.', '--port', '0', '--host', '0.0.0.0'], { cwd });
  expect([code, stderr]).toEqual([1, expect.stringMatching(/--host 0\.0\.0\.0.*no keys[\s\S]*--open/)]);
  const plainly = await serving(['serve', '.', '--port', '0', '--host', '0.0.0.0', '--open'], { cwd });
  expect(plainly.port).toBeGreaterThan(0);
});

test('a sub-agent in another folder may have a set-up of its own, for when it is served itself', async () => {
  const cwd = await folderWith({
    'lead/lead.ai': agentFile(['models: offline/demo', 'agents: ../other/child.ai']),
    'lead/.ai-agent.json': { api: { keys: { website: { hash: hashOfKey(website) } } } },
    'other/child.ai': agentFile(['models: offline/demo', 'description: d']),
    'other/.ai-agent.json': { api: { keys: { another: { hash: hashOfKey(older) } } } },
  });
  const server = await serving(['serve', 'lead/lead.ai', '--port', '0'], { cwd });
  expect((await server.get('/v1', shown(website))).status).toBe(200);
  expect((await server.get('/v1', shown(older))).status).toBe(401);
});

/** All that was written, but what the test wrote itself. */
async function textsBelow(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !/\.ai$|\.ai-agent\.json$/.test(entry.name));
  return (await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')))).join('\n');
}
