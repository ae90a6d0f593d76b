// The promise: after a run a person knows why an agent below failed or never began, on a terminal as in a pipe, and quietly too.

import { type Agent, AIAgentSession, asPartner } from '@ai-agent/core';
import { fakePorts, scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { toIncompleteLines } from '../src/render/incomplete-lines.ts';
import { drawOpTree } from '../src/render/op-tree.ts';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { startInTerminal } from './support/pty.ts';
import { listening, streamed } from './support/served.ts';

const member = (name: string, ...lines: readonly string[]) =>
  agentFile(['models: local/m', 'maxRetries: 1', ...lines], `You are ${name}.`);

/** The law is not let in; everybody else speaks. */
async function team(...lines: readonly string[]) {
  const { url } = await listening(({ body }, response) => {
    const who = /You are (\w+)\./.exec(body)?.[1] ?? '';
    if (who === 'law')
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"message":"no such key"}}');
    else streamed(response, [`${who} `, 'speaks']);
  });
  return folderWith({
    'desk.ai': member('desk', 'advisors: law.ai, money.ai', ...lines),
    'law.ai': member('law'),
    'money.ai': member('money'),
    '.ai-agent.json': localProvider(url),
  });
}

test('on a terminal, in a line below the panel', async () => {
  const terminal = startInTerminal(['desk.ai', 'Is it paid?'], { cwd: await team() });
  expect(await terminal.ended).toBe(0);
  const history = terminal.history();
  const reason = history.findIndex((line) => /^incomplete: desk:law failed \(auth\): .*no such key/.test(line));
  expect(reason).toBeGreaterThan(history.findIndex((line) => line.includes('─ ✗ advisor law')));
  expect(reason).toBeLessThan(history.findIndex((line) => /^agent +runs/.test(line)));
  expect(history.filter((line) => line.startsWith('incomplete'))).toHaveLength(1);
});

test('in a pipe a line says it when it happens, and one at the end', async () => {
  const { stderr } = await run(['desk.ai', 'Is it paid?'], { cwd: await team() });
  expect(stderr.match(/child:law .* error session ended as failed .*no such key/g)).toHaveLength(1);
  expect(stderr.match(/^incomplete: desk:law failed \(auth\): .*no such key/gm)).toHaveLength(1);
  expect(stderr).not.toContain('✗');
});

test('quietly too, also of one that was refused and never became a session', async () => {
  const failed = await run(['desk.ai', '-q', 'Is it paid?'], { cwd: await team() });
  expect(failed.stderr).toMatch(
    /^child:law .* error session ended as failed .*no such key.*\nincomplete: desk:law failed \(auth\): .*no such key.*\n$/,
  );
  const cwd = await team('budget: { descendants: 0 }');
  const refused = await run(['desk.ai', '-q', 'Is it paid?'], { cwd });
  expect(refused).toMatchObject({ code: 0, stdout: 'desk speaks\n' });
  const lines = refused.stderr.trimEnd().split('\n');
  expect(lines).toHaveLength(4);
  for (const [i, name] of ['law', 'money'].entries()) {
    expect(lines[i + 2]).toMatch(new RegExp(`^incomplete: desk:${name} was refused \\(budget\\): `));
    expect(lines[i]).toMatch(new RegExp(`^desk .* warn tool advisor__${name} .*refused \\(budget\\): `));
  }
});

const agent = (name: string, more: Partial<Agent> = {}): Agent => ({
  name,
  instructions: `You are ${name}.`,
  model: scriptedModel([`${name} speaks`]),
  ...more,
});

const outcomeOf = (desk: Agent) => new AIAgentSession({ agent: desk, ports: fakePorts() }).run('go').outcome;

test('of many the first twenty, and how many more there are', async () => {
  const broken = { model: scriptedModel(() => ({ fail: { code: 'model-auth', message: 'no such key.' } })) };
  const advisors = Array.from({ length: 22 }, (_, i) => asPartner(agent(`a${i}`, broken)));
  const outcome = await outcomeOf(agent('desk', { advisors }));
  expect(toIncompleteLines(outcome)).toEqual([
    ...advisors.slice(0, 20).map((_, i) => `incomplete: desk:a${i} failed (auth): no such key.`),
    'incomplete: 2 more, in --json',
  ]);
  // In the tree a sentence goes on after it.
  expect(drawOpTree(outcome.tree ?? expect.fail('There is no tree.'))[1]).toMatch(
    /advisor a0: failed, auth: no such key, \d/,
  );
});

test('what the failure of the root says is not said again', async () => {
  const broken = { model: scriptedModel(() => ({ fail: { code: 'model-auth', message: 'no such key' } })) };
  const outcome = await outcomeOf(agent('desk', { handoff: [asPartner(agent('editor', broken))] }));
  expect(outcome).toMatchObject({ failure: { message: expect.stringContaining('no such key') } });
  expect(outcome.incomplete).toMatchObject([{ path: 'desk:editor', status: 'failed' }]);
  expect(toIncompleteLines(outcome)).toEqual([]);
});
