// A server that wants to know who we are: `login` signs in with a browser, runs after it need none, `logout` forgets it.

import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serveProtected } from '../../tools/test/support/protected-server.ts';
import { agentFile, folderWith, run } from './support/command.ts';
import { type InTerminal, startInTerminal } from './support/pty.ts';

const BROWSER = `${process.execPath} ${join(import.meta.dirname, 'support/browser.mjs')}`;

const desk = async () => {
  const server = await serveProtected();
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: offline/demo', 'agents: child.ai']),
    'child.ai': agentFile(['models: offline/demo', 'description: d', 'tools: vault']),
    'plain.ai': agentFile(['models: offline/demo']),
    '.ai-agent.json': { mcpServers: { vault: { url: server.url }, here: { command: 'x' } } },
  });
  const kept = async () => (await readdir(join(cwd, 'home/.ai-agent/tokens')).catch(() => [])).length;
  return { server, cwd, kept };
};

/** What a token file has in it. */
async function readKept(cwd: string): Promise<{ readonly access_token: string }> {
  const folder = join(cwd, 'home/.ai-agent/tokens');
  const [file = ''] = await readdir(folder);
  return JSON.parse(await readFile(join(folder, file), 'utf8')).tokens;
}

test('login, a run, logout, and what is left', async () => {
  const { server, cwd, kept } = await desk();
  const login = await run(['login', 'desk.ai'], { cwd, env: { BROWSER } });
  expect([login.code, login.stdout]).toEqual([0, `vault: signed in at ${server.url}\n`]);
  expect(login.stderr).toMatch(/^To sign in, open this page if your browser does not: http:\/\/127\.0\.0\.1:\S+\n$/);
  expect(await kept()).toBe(1);
  expect((await stat(join(cwd, 'home/.ai-agent/tokens'))).mode & 0o077).toBe(0);

  const tools = await run(['tools', 'child.ai'], { cwd });
  expect([tools.code, tools.stdout]).toEqual([0, expect.stringContaining('vault__look')]);
  expect(server.asked.filter((one) => one === 'authorize')).toHaveLength(1);

  // The tool tells the token: nobody else does.
  const told = await run(['child.ai', '--json', '--trace-mcp', 'Look around.'], { cwd });
  expect([told.code, told.stdout]).toEqual([0, expect.stringContaining('It is Bearer ')]);
  const { access_token: token } = await readKept(cwd);
  expect(token.length).toBeGreaterThan(10);
  expect(`${told.stdout}${told.stderr}`).not.toContain(token);

  const again = await run(['login', 'child.ai', 'vault', '--json'], { cwd });
  expect(JSON.parse(again.stdout)).toEqual({
    servers: [{ server: 'vault', url: server.url, status: 'signed-in' }],
  });
  const logout = await run(['logout', 'desk.ai'], { cwd });
  expect(logout).toEqual({ code: 0, stdout: `vault: signed out of ${server.url}\n`, stderr: '' });
  expect(await kept()).toBe(0);
  const nothing = await run(['logout', 'desk.ai', '--json'], { cwd });
  expect(JSON.parse(nothing.stdout)).toEqual({ servers: [{ server: 'vault', url: server.url, wasSignedIn: false }] });
});

test('a run where nobody can be shown a page fails as auth, and says what to do', async () => {
  const { cwd } = await desk();
  const { code, stderr } = await run(['child.ai', '-q', 'hello'], { cwd });
  expect(code).toBe(2);
  expect(stderr).toMatch(/^failed \(auth\): .*vault.*\nWhat to do: Run ai-agent login <agent file> in a terminal/);
});

test('a run on a terminal opens the page itself, and says so', async () => {
  const { cwd } = await desk();
  const terminal = startInTerminal(['child.ai', 'hello'], { cwd, env: { BROWSER } });
  expect(await terminal.ended).toBe(0);
  expect(terminal.history().join('\n')).toContain('To sign in, open this page');
});

/** As one who copies it gets it: a line that the window broke is one. */
function readPage({ emulator: { buffer } }: InTerminal): string {
  const lines = Array.from({ length: buffer.active.length }, (_, i) => buffer.active.getLine(i));
  const text = lines.map((line) => `${line?.isWrapped ? '' : '\n'}${line?.translateToString(true) ?? ''}`).join('');
  return /does not: (\S+)/.exec(text)?.[1] ?? '';
}

test.each([
  ['a run', ['child.ai', 'hello']],
  ['login', ['login', 'child.ai']],
])('where no browser can be started, %s shows the address and waits', async (_, args) => {
  const { server, cwd } = await desk();
  const terminal = startInTerminal(args, { cwd, env: { BROWSER: '/not/there/browser' } });
  await terminal.shows('To sign in, open this page if your browser does not: ');
  await expect.poll(() => readPage(terminal)).toMatch(/^http:.*&resource=\S+%2Fmcp$/);
  const page = readPage(terminal);
  expect(server.asked).toEqual(['register']);
  // Somebody copies it into a browser elsewhere on this machine.
  await (await fetch(page)).text();
  expect(await terminal.ended).toBe(0);
  expect(server.asked).toEqual(['register', 'authorize', 'authorization_code']);
});

test.each([
  [['login'], /Name the file of an agent/],
  [['login', 'desk.ai', 'valut'], /has a server valut that one can sign in to; did you mean vault\?/],
  [
    ['login', 'desk.ai', 'here'],
    /has a server here that one can sign in to; there is vault\. See ai-agent login --help\./,
  ],
  [['logout', 'plain.ai'], /No agent of plain\.ai has a server that one can sign in to/],
])('%j is misuse', async (args, said) => {
  const { cwd } = await desk();
  const { code, stdout, stderr } = await run(args, { cwd });
  expect([code, stdout]).toEqual([4, '']);
  expect(stderr).toMatch(said);
});

test('a server that is not there is told, and the exit code is that of its class', async () => {
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: offline/demo', 'tools: vault']),
    '.ai-agent.json': { mcpServers: { vault: { url: 'http://127.0.0.1:1/mcp' } } },
  });
  const { code, stdout } = await run(['login', 'desk.ai'], { cwd, env: { BROWSER } });
  expect([code, stdout]).toEqual([2, expect.stringMatching(/^vault: failed \(network\): .*\nWhat to do: /)]);
});
