// The promise: with --mcp stdio every byte of stdout is a message of the protocol, whatever else wants to print there: a module of a user, a
// document that was asked for, or a start that fails.

import { expect, test } from 'vitest';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { initialize, initialized, onStdio, toolCall } from './support/on-stdio.ts';
import { served } from './support/served.ts';

/** Prints in every way there is, as it is loaded, when it is asked, and when it is done. */
const loud = `
import { writeFileSync } from 'node:fs';
import { Console } from 'node:console';
const { stdout } = process;
const shout = (when) => {
  console.log('log ' + when);
  console.info('info ' + when);
  console.table([[when]]);
  console.dir({ when });
  new Console(process.stdout).log('own ' + when);
  stdout.write('write ' + when + '\\n');
  stdout.write(Buffer.from('bytes ' + when + '\\n'), () => {});
  stdout.end('end ' + when + '\\n');
};
shout('at-load');
export default function create() {
  shout('at-create');
  return {
    name: 'topic',
    getRequirements() { shout('at-ask'); return { schema: {}, systemPromptInstructions: 'Say anything.' }; },
    async onComplete() { shout('at-work'); },
  };
}`;

async function aDesk(plugin: string) {
  const model = await served(() => 'At nine. <ai-agent-META plugin="topic">1</ai-agent-META>');
  return folderWith({
    'desk.ai': agentFile(['models: local/m', 'description: Answers.', 'plugins: topic.mjs']),
    'topic.mjs': plugin,
    '.ai-agent.json': localProvider(model.baseUrl),
  });
}

test.each([[[]], [['--json', '--verbose']], [['--quiet']]])('a plugin that prints, with %j', async (more) => {
  const cwd = await aDesk(loud);
  const server = onStdio(['--agent', 'desk.ai', '--mcp', 'stdio', ...more], { cwd });
  server.send(initialize);
  await server.answer('hello');
  server.send(initialized);
  server.send(toolCall(1, 'desk', 'When?'));
  expect((await server.answer(1)).result).toMatchObject({ content: [{ text: 'At nine.' }] });
  await expect.poll(server.stderr).toContain('write at-work');
  server.send({ jsonrpc: '2.0', id: 2, method: 'ping' });
  await server.answer(2);
  server.child.stdin?.end();
  expect(await server.ended).toBe(0);
  expect(server.lines().map((line) => JSON.parse(line).id)).toEqual(['hello', 1, 2]);
  for (const way of ['log', 'info', 'own', 'write', 'bytes', 'end'])
    for (const when of ['at-load', 'at-create', 'at-work']) expect(server.stderr()).toContain(`${way} ${when}`);
});

test('a start that fails says so on stderr alone, also as a document', async () => {
  const cwd = await folderWith({ 'desk.ai': agentFile(['models: offline/demo', 'maxTurns: many']) });
  const each = [
    ['serve', 'desk.ai', '--mcp', 'stdio', '--json'],
    ['serve', 'nowhere.ai', '--mcp', 'stdio', '--json'],
    ['serve', 'desk.ai', '--mcp', 'stdio', '--json', '--grace', 'soon'],
    ['serve', 'desk.ai', '--mcp=stdio', '--json', '--no-such-flag'],
  ];
  const ended = await Promise.all(each.map((args) => run(args, { cwd })));
  expect(ended.map(({ code, stdout }) => [code, stdout])).toEqual([
    [1, ''],
    [4, ''],
    [4, ''],
    [4, ''],
  ]);
  for (const { stderr } of ended) expect(stderr).toContain('"status":"failed"');
});
