// The promise: a file with `batch` in its tools sends many calls as one, over a real provider, to servers and sub-agents alike.

import { ask, asTool } from '@ai-agent/cli';
import { expect, test } from 'vitest';
import { call, resultsIn } from './support/calls.ts';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { throughEveryDoor } from './support/doors.ts';
import { littleServer } from './support/little-server.ts';
import { served } from './support/served.ts';

const item = (id: string, tool: string, parameters: object) => ({ id, tool, parameters });

/** A lead with a server and a sub-agent; it answers with the results it read. */
async function desk() {
  const calls = [
    item('a', 'little__echo', { text: 'one' }),
    item('b', 'part', { text: 'look', reason: 'Look' }),
    item('c', 'nobody', {}),
  ];
  const model = await served((request) => {
    if (request.system.includes('You help')) return 'the part';
    const results = resultsIn(request);
    return results.length > 0 ? results.join('\n') : { calls: [{ name: 'agent__batch', input: { calls } }] };
  });
  const cwd = await folderWith({
    'lead.ai': agentFile(['models: local/m', 'tools: little__echo, batch', 'agents: part.ai'], 'You lead.'),
    'part.ai': agentFile(['models: local/m', 'description: p'], 'You help.'),
    '.ai-agent.json': { ...localProvider(model.baseUrl), mcpServers: { little: littleServer() } },
  });
  return { model, cwd };
}

test('its calls reach the server and the sub-agent, and one result goes back upstream', async () => {
  const { model, cwd } = await desk();
  const { code, stdout, stderr } = await run(['lead.ai', '--show-tree', '--trace-llm', 'go'], { cwd });
  expect([code, stderr.includes('child:part')]).toEqual([0, true]);
  const { results } = JSON.parse(stdout) as { results: Record<string, unknown>[] };
  expect(results).toEqual([
    { id: 'a', tool: 'little__echo', ok: true, elapsedMs: expect.any(Number), output: 'echo: one' },
    { id: 'b', tool: 'part', ok: true, elapsedMs: expect.any(Number), output: 'the part' },
    {
      id: 'c',
      tool: 'nobody',
      ok: false,
      elapsedMs: 0,
      error: { code: 'UNKNOWN_TOOL', message: expect.stringContaining('There is no tool "nobody"') },
    },
  ]);
  const [first, , last] = model.requests;
  expect(first?.tools.map(({ name }) => name)).toEqual(['agent__part', 'little__echo', 'agent__batch']);
  const [said, read] = last?.messages.slice(-2) ?? [];
  expect(said).toMatchObject({ role: 'assistant', content: [{ type: 'tool-call', name: 'agent__batch' }] });
  expect(read).toMatchObject({ role: 'tool', content: [{ text: stdout.trim() }] });
  expect(stderr).toMatch(/1\. in a batch: tool echo: \d+ B/);
  expect(stderr).toMatch(/1\. in a batch: part "Look": completed/);
  // What its model is told, and nothing beside it.
  expect(stderr.match(/ {2}result of \w+/g)).toEqual(['  result of batch']);
});

test('--override no-batch takes it away', async () => {
  const { model, cwd } = await desk();
  const { stdout } = await run(['lead.ai', '-q', '--override', 'no-batch', 'go'], { cwd });
  expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(['agent__part', 'little__echo']);
  expect(stdout).toContain('There is no tool "agent__batch"');
});

test('check and tools know it', async () => {
  const { cwd } = await desk();
  const [check, tools] = await Promise.all([run(['check', 'lead.ai'], { cwd }), run(['tools', 'lead.ai'], { cwd })]);
  expect([check.code, tools.code]).toEqual([0, 0]);
  expect(check.stderr + check.stdout).not.toMatch(/batch|error:/);
  expect(tools.stdout).toMatch(/agent__batch\n {2}batch, built in/);
  expect(tools.stdout).not.toMatch(/fits no tool|task_status/);
});

throughEveryDoor('a question inside a batch ends the run, and the answer goes on with it', (door) => {
  test('where somebody below asks', async () => {
    const careful = await door.agent(
      'careful',
      (request) => resultsIn(request)[0] ?? { calls: [{ name: 'ask_user', input: { question: 'Which?' } }] },
      { ask: 'person' },
    );
    const calls = ['one', 'two'].map((id) => item(id, 'careful', call('', { text: id }).input as object));
    const lead = await door.agent(
      'lead',
      (request) => resultsIn(request)[0] ?? { calls: [{ name: 'agent__batch', input: { calls } }] },
      { tools: [asTool(careful)], batch: true },
    );
    const { runtime } = door;
    let outcome = await ask(lead, 'go', { runtime });
    for (const answer of ['red', 'blue']) {
      if (outcome.status !== 'needs_user_input') expect.fail(`It is ${outcome.status}.`);
      outcome = await ask(lead, answer, { runtime, resume: outcome.resume });
    }
    expect(outcome.status).toBe('completed');
    const { results } = JSON.parse(outcome.text) as { results: { output: string }[] };
    expect(results.map(({ output }) => output)).toEqual(['red', 'blue']);
  });
});
