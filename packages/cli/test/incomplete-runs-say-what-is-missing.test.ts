// A run that completed without the work of a sub-agent says so on stderr, also with --quiet, and with --strict its exit code is 5.

import { expect, test } from 'vitest';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { startInTerminal } from './support/pty.ts';
import { served } from './support/served.ts';

const call = { name: 'agent__researcher', input: { reason: 'find sources', text: 'go' } };

/** A lead that calls the researcher, and answers whatever comes of it. */
async function folder(researcher: readonly string[], lead: readonly string[] = [], more: object = {}): Promise<string> {
  const { baseUrl } = await served(({ system, messages }) => {
    if (system.includes('researcher')) return 'Three sources.';
    return messages.some(({ role }) => role === 'tool') ? 'The answer.' : { calls: [call] };
  });
  return folderWith({
    'lead.ai': agentFile(['models: local/m', 'agents: researcher.ai', ...lead], 'You are the lead.'),
    'researcher.ai': agentFile(['models: local/m', 'description: finds', ...researcher], 'You are the researcher.'),
    '.ai-agent.json': { ...localProvider(baseUrl), ...more },
  });
}

const tooSmall = ['budget: { tokens: 1 }'];
const overBudget = /^incomplete: lead:researcher \(find sources\) failed \(budget\): .+$/m;
const why = 'strict: exit code 5, because work is missing from this answer.';

test('a sub-agent that a budget stopped before its first call is named, also with --quiet', async () => {
  const cwd = await folder(tooSmall);
  for (const flags of [[], ['--quiet']]) {
    const { code, stdout, stderr } = await run(['lead.ai', 'go', ...flags], { cwd });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'The answer.\n' });
    expect(stderr).toMatch(overBudget);
    expect(stderr).not.toContain('strict');
  }
});

test('a sub-agent whose MCP server does not start is named', async () => {
  const dead = { type: 'stdio', command: process.execPath, args: ['-e', 'process.exit(1)'] };
  const cwd = await folder(['tools: notes'], [], { mcpServers: { notes: dead } });
  const { code, stderr } = await run(['lead.ai', 'go', '--quiet'], { cwd });
  expect(code).toBe(0);
  expect(stderr).toMatch(/^incomplete: lead:researcher \(find sources\) failed \(\w+\): .*notes/m);
});

test('--strict and strict: true change the exit code, and a line says why', async () => {
  const cwd = await folder(tooSmall);
  const strict = await run(['lead.ai', 'go', '--strict', '--quiet'], { cwd });
  expect(strict).toMatchObject({ code: 5, stdout: 'The answer.\n' });
  expect(strict.stderr).toContain(why);
  const inFile = await folder(tooSmall, ['strict: true']);
  expect(await run(['lead.ai', 'go'], { cwd: inFile })).toMatchObject({ code: 5, stdout: 'The answer.\n' });
  expect(await run(['lead.ai', 'go', '--no-strict'], { cwd: inFile })).toMatchObject({ code: 0 });
  const inDefaults = await folder(tooSmall, [], { defaults: { strict: true } });
  expect((await run(['lead.ai', 'go'], { cwd: inDefaults })).code).toBe(5);
  const talk = await run(['chat', 'lead.ai', '--strict'], { cwd, input: 'go\n' });
  expect(talk.code).toBe(5);
  expect(talk.stderr).toContain(why);
});

test('a run that misses nothing is silent about it, and exits with 0 under --strict', async () => {
  const { code, stderr } = await run(['lead.ai', 'go', '--strict'], { cwd: await folder([]) });
  expect(code).toBe(0);
  expect(stderr).not.toMatch(/incomplete|strict/);
});

test('the document of --json and sessions show have the list', async () => {
  const cwd = await folder(tooSmall);
  const child = { path: 'lead:researcher', title: 'find sources', status: 'failed', failure: { class: 'budget' } };
  const document = JSON.parse((await run(['lead.ai', 'go', '--json'], { cwd })).stdout);
  expect(document).toMatchObject({ status: 'completed', incomplete: [child] });
  const show = ['sessions', 'show', document.sessionId];
  expect((await run(show, { cwd })).stdout).toMatch(overBudget);
  expect(JSON.parse((await run([...show, '--json'], { cwd })).stdout)).toMatchObject({ incomplete: [child] });
  const again = await run(['sessions', 'resume', document.sessionId, 'once more', '--strict'], { cwd });
  // The model of the lead sees the result of the first round, and calls no sub-agent.
  expect(again).toMatchObject({ code: 0, stdout: 'The answer.\n' });
});

test('on a terminal the line stands below the panel', async () => {
  const terminal = startInTerminal(['lead.ai', 'go', '--strict'], { cwd: await folder(tooSmall) });
  expect(await terminal.ended).toBe(5);
  const history = terminal.history();
  const line = history.findIndex((each) => each.startsWith('incomplete: lead:researcher'));
  expect(line).toBeGreaterThan(history.findIndex((each) => each.includes('─ ✗ researcher')));
  expect(history.join('\n')).toContain('strict: exit code 5');
});
