// The promise: what an agent says of its task is on the line of its session while it works, and in the lines of a pipe;
// that it is done gets the answer without another call of a tool.

import { describe, expect, test } from 'vitest';
import { resultsIn } from './support/calls.ts';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { littleServer } from './support/little-server.ts';
import { startInTerminal } from './support/pty.ts';
import { served } from './support/served.ts';

const status = (input: object) => ({ name: 'agent__task_status', input });
const body = 'You lead. Tell how far you are with agent__task_status.';

/** Tells its status, then thinks until it is let go; then says that it is done. */
async function desk({ prompt = body, frontmatter = [] as readonly string[] } = {}) {
  const { promise: until, resolve: letGo } = Promise.withResolvers<void>();
  const echo = { name: 'little__echo', input: { text: 'x' } };
  const model = await served((request, number) => {
    const { now, pending } = { now: 'Reading the logbook of the harbour', pending: 'two' };
    if (number === 1)
      return { calls: [status({ status: 'in-progress', now, pending, need_to_run_more_tools: 'true' }), echo] };
    if (number === 2) return { calls: [status({ status: 'completed', now: 'Writing it up' })], until };
    return `${resultsIn(request)} ${request.tools.length} tools`;
  });
  const cwd = await folderWith({
    'lead.ai': agentFile(['models: local/m', 'tools: little__echo', ...frontmatter], prompt),
    '.ai-agent.json': { ...localProvider(model.baseUrl), mcpServers: { little: littleServer() } },
  });
  return { model, cwd, letGo };
}

test('on a terminal it stands on the line of its session, in its own words', async () => {
  const { cwd, letGo } = await desk();
  const terminal = startInTerminal(['lead.ai', 'go'], { cwd, columns: 120 });
  await terminal.shows(/lead .*turn 2 · thinking · Reading the logbook of the harbour · /);
  letGo();
  expect(await terminal.ended).toBe(0);
  expect(terminal.history().join('\n')).toContain('The status was shown. 0 tools');
});

test('a narrow window keeps what is more important', async () => {
  const { cwd, letGo } = await desk();
  const terminal = startInTerminal(['lead.ai', 'go'], { cwd, columns: 50 });
  await terminal.shows(/lead .*turn 2 · thinking · .* s/);
  expect(terminal.screen().join('\n')).not.toContain('Reading');
  letGo();
  expect(await terminal.ended).toBe(0);
});

test('in a pipe it is a line; a quiet run says nothing', async () => {
  const { cwd, letGo, model } = await desk();
  letGo();
  const { code, stderr } = await run(['lead.ai', 'go'], { cwd });
  expect(code).toBe(0);
  expect(stderr).toMatch(/^lead \S+ 1\.1 info status in-progress: Reading the logbook of the harbour$/m);
  expect(stderr).toMatch(/^lead \S+ 2\.1 info status completed: Writing it up$/m);
  // The answer is whole: no limit ended the work.
  expect(stderr).toMatch(/session ended as completed/);
  const [first, second, third] = model.requests;
  expect(first?.tools.map(({ name }) => name)).toEqual(['little__echo', 'agent__task_status']);
  expect(second?.tools).toHaveLength(2);
  expect(JSON.stringify(third?.messages.at(-1))).toContain('Give your final answer now.');
});

describe('who is offered it', () => {
  test.each([
    ['a prompt that does not name it', { prompt: 'You lead.' }, [], false],
    ['progress in the file', { prompt: 'You lead.', frontmatter: ['progress: true'] }, [], true],
    ['--override no-progress', {}, ['--override', 'no-progress'], false],
    ['--override progress=false', {}, ['--override', 'progress=false'], false],
  ] as const)('%s', async (_what, file, flags, is) => {
    const { cwd, letGo, model } = await desk(file);
    letGo();
    const { stdout } = await run(['lead.ai', '-q', ...flags, 'go'], { cwd });
    expect(model.requests[0]?.tools.some(({ name }) => name === 'agent__task_status')).toBe(is);
    // Not offered is not forbidden, unless somebody says so.
    expect(stdout.includes('The status was shown.')).toBe(flags.length === 0);
  });
});
