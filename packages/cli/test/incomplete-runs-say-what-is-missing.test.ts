// A run that completed without the work of a sub-agent says so on stderr, also with --quiet, and with --strict its exit code is 5.

import { expect, test } from 'vitest';
import { agentFile, folderWith, localProvider, run, start } from './support/command.ts';
import { factsIn, headsIn } from './support/kept.ts';
import { startInTerminal } from './support/pty.ts';
import { served } from './support/served.ts';
import { serving } from './support/serving.ts';

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
  const [head] = await headsIn(cwd);
  const { stdout } = await run(['sessions', 'show', head?.id ?? ''], { cwd });
  // The row of a sub-agent that made no call, so that the runs add up.
  expect(stdout).toMatch(/^lead +1 .*\nresearcher +1 +0 +0 .*\ntotal +2 /m);
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
  const shown = (await run(show, { cwd })).stdout;
  expect(shown).toMatch(overBudget);
  expect(shown).toMatch(/^status +completed, incomplete$/m);
  expect((await run(['sessions', 'list'], { cwd })).stdout).toContain(' completed, incomplete ');
  expect(JSON.parse((await run([...show, '--json'], { cwd })).stdout)).toMatchObject({ incomplete: [child] });
  const page = await run(['sessions', 'export', document.sessionId, '--format', 'markdown'], { cwd });
  expect(page.stdout).toContain('- Status: completed, incomplete\n');
  const again = await run(['sessions', 'resume', document.sessionId, 'once more', '--strict'], { cwd });
  // The model of the lead sees the result of the first round, and calls no sub-agent.
  expect(again).toMatchObject({ code: 0, stdout: 'The answer.\n' });
});

/** The store has a run that was killed while its first sub-agent worked. The lead calls it again if the prompt says so. */
async function killed() {
  const never = new Promise<never>(() => {});
  let researched = 0;
  const model = await served(({ system, messages }) => {
    if (system.includes('researcher')) return ++researched === 1 ? { until: never } : 'Three sources.';
    return /"(go|call it)"/.test(JSON.stringify(messages.at(-1)))
      ? { text: 'Let me ask.', calls: [call] }
      : 'The answer.';
  });
  const cwd = await folderWith({
    'lead.ai': agentFile(['models: local/m', 'agents: researcher.ai'], 'You are the lead.'),
    'researcher.ai': agentFile(['models: local/m', 'description: finds'], 'You are the researcher.'),
    '.ai-agent.json': localProvider(model.baseUrl),
  });
  const { child, ended } = start(['lead.ai', 'go'], { cwd });
  await expect.poll(() => [model.requests.length, model.inFlight], { interval: 10 }).toEqual([2, 1]);
  // The store writes in the background.
  await expect.poll(() => headsIn(cwd)).toHaveLength(1);
  const id = (await headsIn(cwd))[0]?.id ?? '';
  const lastFact = async () => (await factsIn(cwd, id)).at(-1);
  await expect.poll(lastFact).toMatchObject({ type: 'model-start', trace: { callPath: 'lead:researcher' } });
  child.kill('SIGKILL');
  await ended;
  // Two requests: an answered one, and one of unknown usage.
  expect((await run(['sessions', 'list'], { cwd })).stdout).toMatch(/ interrupted .* \d+\+\? /);
  return { cwd, id };
}

test('a killed run names the sub-agent that it lost, before it is continued and after', async () => {
  const { cwd, id } = await killed();
  const before = { path: 'lead:researcher', status: 'failed', failure: { code: 'session-interrupted' } };
  const head = { status: 'interrupted', text: 'Let me ask.', incomplete: [before] };
  expect((await run(['sessions', 'show', id], { cwd })).stdout).toMatch(/^incomplete: lead:researcher/m);
  expect(JSON.parse((await run(['sessions', 'show', id, '--json'], { cwd })).stdout)).toMatchObject(head);
  const { code, stdout, stderr } = await run(['lead.ai', '--session', id, '--strict', '--json', 'go on'], { cwd });
  expect({ code, stderr }).toMatchObject({ code: 5 });
  const failure = { class: 'network', code: 'session-interrupted' };
  const lost = { path: 'lead:researcher', title: 'find sources', status: 'failed', sessionId: `${id}~1.1`, failure };
  expect(JSON.parse(stdout)).toMatchObject({ text: 'The answer.', incomplete: [lost] });
  expect(stderr).toMatch(/^incomplete: lead:researcher \(find sources\) failed \(network\)/m);
  expect((await run(['sessions', 'show', id], { cwd })).stdout).toMatch(/^incomplete: lead:researcher/m);
});

test('nothing is missing once a killed run has called its sub-agent again', async () => {
  const { cwd, id } = await killed();
  const resumed = await run(['sessions', 'resume', id, 'call it', '--strict', '--json'], { cwd });
  expect(resumed.code).toBe(0);
  expect(JSON.parse(resumed.stdout)).toMatchObject({ text: 'The answer.', incomplete: [] });
});

test('the log of a server names the missing sub-agents of a run, and what clients are not told', async () => {
  const dead = { type: 'stdio', command: process.execPath, args: ['-e', 'process.exit(1)'] };
  const cwd = await folder(['tools: notes'], ['description: leads'], { mcpServers: { notes: dead } });
  const server = await serving(['serve', 'lead.ai', '--port', '0'], { cwd });
  const headers = { accept: 'application/vnd.ai-agent+json' };
  const reply = JSON.parse((await server.get('/v1/lead?q=go', { headers })).text);
  const failure = { message: 'This agent, or something that it needs, is not set up as it should be.' };
  expect(reply).toMatchObject({ incomplete: [{ path: 'lead:researcher', status: 'failed', failure }] });
  const incomplete = [{ path: 'lead:researcher', status: 'failed', problem: expect.stringContaining('notes') }];
  await expect
    .poll(() => server.log().filter(({ event }) => event === 'run'))
    .toMatchObject([{ incompleteCount: 1, incomplete, message: expect.stringMatching(/ incomplete=1 /) }]);
  expect(server.stderr()).not.toContain('find sources');
});

test('on a terminal the line stands below the panel', async () => {
  const terminal = startInTerminal(['lead.ai', 'go', '--strict'], { cwd: await folder(tooSmall) });
  expect(await terminal.ended).toBe(5);
  const history = terminal.history();
  const line = history.findIndex((each) => each.startsWith('incomplete: lead:researcher'));
  expect(line).toBeGreaterThan(history.findIndex((each) => each.includes('─ ✗ researcher')));
  expect(history.join('\n')).toContain('strict: exit code 5');
});
