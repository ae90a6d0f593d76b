// The promise: a plugin that a file names gets its metadata from the model and the report when it is done, and the answer
// is the report alone; over a real HTTP model, with real modules, through the built command.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelRequest } from '@ai-agent/cli';
import { ask as askAgent, loadAgent } from '@ai-agent/cli';
import { describe, expect, test } from 'vitest';
import { call } from './support/calls.ts';
import { agentFile, folderWith, localProvider, run, start } from './support/command.ts';
import { served } from './support/served.ts';

const schema = { type: 'object', required: ['topic'], properties: { topic: { type: 'string' } } };

/** Writes what it is told beside itself; `more` runs after that. */
const plugin = (more = '', name = 'topic') => `
import { appendFile } from 'node:fs/promises';

export default function create() {
  return {
    name: '${name}',
    getRequirements: () => ({
      schema: ${JSON.stringify(schema)},
      systemPromptInstructions: 'Name the topic in <ai-agent-NONCE-META plugin="${name}">.',
      xmlNextSnippet: 'Remember <ai-agent-NONCE-META plugin="${name}">.',
      finalReportExampleSnippet: '<ai-agent-NONCE-META plugin="${name}">{"topic":"tea"}</ai-agent-NONCE-META>',
    }),
    async onComplete({ createSession, ...told }) {
      await appendFile(new URL('./told.jsonl', import.meta.url), JSON.stringify(told) + '\\n');
      ${more}
    },
  };
}
`;

const tagIn = ({ system }: ModelRequest) => /ai-agent-[\da-f]{8}-META/.exec(system)?.[0] ?? 'none';
const block = (request: ModelRequest, value: unknown = { topic: 'ferries' }) =>
  `<${tagIn(request)} plugin="topic">${JSON.stringify(value)}</${tagIn(request)}>`;

interface Desk {
  readonly script: Parameters<typeof served>[0];
  readonly files?: Record<string, string | object>;
  readonly frontmatter?: readonly string[];
}

async function deskWith({ script, files = {}, frontmatter = [] }: Desk) {
  const model = await served(script);
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m', 'plugins: topic.js', ...frontmatter], 'You are the desk.'),
    'topic.js': plugin(),
    '.ai-agent.json': localProvider(model.baseUrl),
    ...files,
  });
  const told = async () =>
    (await readFile(join(cwd, 'told.jsonl'), 'utf8').catch(() => ''))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  return { model, cwd, told, ask: (...args: string[]) => run(['desk.ai', ...args, 'When?'], { cwd }) };
}

test('given at once: stdout is the report, the plugin has its data, and --json has both', async () => {
  const desk = await deskWith({ script: (request) => `At nine.\n\n${block(request)}` });
  expect(await desk.ask('-q')).toEqual({ code: 0, stdout: 'At nine.\n', stderr: '' });
  const document = JSON.parse((await desk.ask('--json')).stdout);
  expect(document).toMatchObject({ text: 'At nine.', report: 'At nine.', metadata: { topic: { topic: 'ferries' } } });
  expect(document.tree).toMatchObject({ output: 'At nine.', metadata: { topic: { topic: 'ferries' } } });
  const [first, second] = await desk.told();
  expect(second.sessionId).toBe(document.sessionId);
  expect(first).toEqual({
    sessionId: first.sessionId,
    originId: first.sessionId,
    agentId: 'desk',
    agentPath: 'desk',
    userRequest: 'When?',
    messages: [
      { role: 'system', text: first.messages[0].text },
      { role: 'user', content: [{ type: 'text', text: 'When?' }] },
      { role: 'assistant', content: [{ type: 'text', text: first.messages[2].content[0].text }] },
    ],
    finalReport: {
      format: 'text',
      content: 'At nine.',
      metadata: { topic: { topic: 'ferries' } },
      ts: expect.any(Number),
    },
    pluginData: { topic: 'ferries' },
    fromCache: false,
  });
});

test('missing, then given: the requests in full; the first report is the answer', async () => {
  const desk = await deskWith({ script: (request, turn) => (turn === 1 ? 'At nine.' : `At ten? ${block(request)}`) });
  expect(await desk.ask('-q')).toEqual({ code: 0, stdout: 'At nine.\n', stderr: '' });
  const nonce = tagIn(desk.model.requests[0] as ModelRequest).split('-')[2] as string;
  const tags = '<ai-agent-NONCE-META plugin="topic">JSON</ai-agent-NONCE-META>';
  const system = [
    'You are the desk.',
    'In the message with your final answer, write metadata too: after the answer, for each of the following, one JSON document between its two tags. Metadata is no part of the answer, and whoever reads the answer does not see it.',
    'Name the topic in <ai-agent-NONCE-META plugin="topic">.',
    `${tags}\nwhere JSON satisfies this JSON Schema:\n${JSON.stringify(schema)}`,
    'Example:\n<ai-agent-NONCE-META plugin="topic">{"topic":"tea"}</ai-agent-NONCE-META>',
  ].join('\n\n');
  const again = [
    'Your answer stands; do not write it again. Its metadata is not right yet:\n- topic: it is missing\nReply with this and nothing else:',
    `${tags}\nwhere JSON satisfies this JSON Schema:\n${JSON.stringify(schema)}`,
    'Remember <ai-agent-NONCE-META plugin="topic">.',
  ].join('\n\n');
  const said = desk.model.requests.map(({ system: told, messages }) => [
    told,
    ...messages.map((message) =>
      'content' in message ? message.content.map((part) => 'text' in part && part.text).join() : '',
    ),
  ]);
  const fill = (text: string) => text.replaceAll('NONCE', nonce);
  expect(said).toEqual([
    [fill(system), 'When?'],
    [fill(system), 'When?', 'At nine.', fill(again)],
  ]);
  expect((await desk.told())[0]).toMatchObject({
    finalReport: { content: 'At nine.' },
    pluginData: { topic: 'ferries' },
  });
});

test('invalid for ever: the report is accepted without it, and the plugin hears why', async () => {
  const desk = await deskWith({ script: (request) => `At nine. ${block(request, { topic: 9 })}` });
  expect(await desk.ask('-q')).toEqual({ code: 0, stdout: 'At nine.\n', stderr: '' });
  expect(desk.model.requests).toHaveLength(4);
  const [told] = await desk.told();
  expect(told).toMatchObject({ problems: ['"topic" must be string'], finalReport: { content: 'At nine.' } });
  expect(told).not.toHaveProperty('pluginData');
});

test('a JSON contract and metadata: the report is valid JSON, and no provider is told to send nothing but JSON', async () => {
  const output = 'output: {format: json, schema: {type: object, required: [at], properties: {at: {type: integer}}}}';
  const desk = await deskWith({
    script: (request, turn) => [`{"at": "nine"} ${block(request)}`, '```json\n{"at": 9}\n```'][turn - 1] ?? 'never',
    frontmatter: [output],
  });
  expect(await desk.ask('-q')).toEqual({ code: 0, stdout: '{"at":9}\n', stderr: '' });
  expect(desk.model.requests.map((request) => request.output.format)).toEqual(['text', 'text']);
  expect((await desk.told())[0]).toMatchObject({
    finalReport: { format: 'json', content: '{"at":9}', content_json: { at: 9 } },
    pluginData: { topic: 'ferries' },
  });
});

test('a plugin of a sub-agent is told, and its caller reads the report alone', async () => {
  const desk = await deskWith({
    script: (request, turn) => {
      if (request.system.includes('You are the child')) return `Deep. ${block(request)}`;
      return turn === 1 ? { calls: [call('agent__child', { text: 'dig' })] } : 'Done.';
    },
    files: {
      'lead.ai': agentFile(['models: local/m', 'agents: child.ai'], 'You are the lead.'),
      'child.ai': agentFile(['models: local/m', 'description: digs', 'plugins: topic.js'], 'You are the child.'),
    },
  });
  expect(await run(['lead.ai', '-q', 'go'], { cwd: desk.cwd })).toEqual({ code: 0, stdout: 'Done.\n', stderr: '' });
  expect(await desk.told()).toMatchObject([
    { agentPath: 'lead:child', userRequest: 'dig', pluginData: { topic: 'ferries' } },
  ]);
  expect(JSON.stringify(desk.model.requests.at(-1))).not.toContain('META');
});

describe('a plugin that goes wrong changes neither the answer nor the exit code', () => {
  test.each([
    ['throws', "throw new TypeError('cannot file it');", 'The plugin topic of desk failed: cannot file it\n'],
    ['rejects', "return Promise.reject('no');", 'The plugin topic of desk failed: no\n'],
  ])('%s', async (_, more, stderr) => {
    const desk = await deskWith({
      script: (request) => `At nine. ${block(request)}`,
      files: { 'topic.js': plugin(more) },
    });
    expect(await desk.ask('-q')).toEqual({ code: 0, stdout: 'At nine.\n', stderr });
    expect(await desk.told()).toHaveLength(1);
  });

  test('never ends: the answer is there at once, and Ctrl-C does not wait', async () => {
    const files = { 'topic.js': plugin('await new Promise(() => setInterval(() => {}, 1_000));') };
    const desk = await deskWith({ script: (request) => `At nine. ${block(request)}`, files });
    const { child, ended } = start(['desk.ai', '-q', 'When?'], { cwd: desk.cwd });
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    await expect.poll(desk.told, { timeout: 5_000 }).toHaveLength(1);
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 130, stdout: 'At nine.\n' });
  });
});

test('createSession runs another agent file, which the command waits for', async () => {
  const more = `
      const { status, text } = await createSession('clerk.ai', 'File ' + told.pluginData.topic);
      await appendFile(new URL('./told.jsonl', import.meta.url), JSON.stringify({ status, text }) + '\\n');`;
  const desk = await deskWith({
    script: (request) => (request.system.includes('clerk') ? 'Filed.' : `At nine. ${block(request)}`),
    files: { 'topic.js': plugin(more), 'clerk.ai': agentFile(['models: local/m'], 'You are the clerk.') },
  });
  expect(await desk.ask('-q')).toEqual({ code: 0, stdout: 'At nine.\n', stderr: '' });
  expect((await desk.told())[1]).toEqual({ status: 'completed', text: 'Filed.' });
  expect(JSON.stringify(desk.model.requests[1]?.messages)).toContain('File ferries');
});

test('--plugins names others in place of those of the file; check tells of one that is broken', async () => {
  const desk = await deskWith({
    script: (request) => `At nine. ${block(request).replace('"topic"', '"other"')}`,
    files: { 'other.mjs': `await 1;\n${plugin('', 'other')}`, 'broken.ts': 'export default 1 as number;' },
  });
  const ended = await desk.ask('-q', '--plugins', 'other.mjs');
  expect(ended).toMatchObject({ code: 0, stdout: 'At nine.\n' });
  expect(await desk.told()).toMatchObject([{ pluginData: { topic: 'ferries' } }]);
  const refused = await desk.ask('--plugins=broken.ts');
  expect(refused.stderr).toContain('--plugins: broken.ts: gives no plugin');
  const { code, stdout } = await run(['check', 'desk.ai'], { cwd: desk.cwd });
  expect([code, stdout]).toEqual([0, expect.stringContaining('0 errors')]);
});

test('an embedder loads the same file, and hears of plugins through a port', async () => {
  const desk = await deskWith({
    script: (request) => `At nine. ${block(request)}`,
    files: { 'topic.js': plugin("throw new TypeError('no');") },
  });
  const { agent, session } = await loadAgent('desk.ai', { cwd: desk.cwd });
  const works: Promise<string | undefined>[] = [];
  const outcome = await askAgent(agent, 'When?', {
    ...session,
    ports: { ...session.ports, plugins: ({ done }) => works.push(done) },
  });
  expect(outcome).toMatchObject({ text: 'At nine.', metadata: { topic: { topic: 'ferries' } } });
  expect(await Promise.all(works)).toEqual(['The plugin topic of desk failed: no']);
});

test.each([
  ['js', 'const a = 1;\nexport default () => ({\n  name: "x" "y",\n});\n'],
  ['mjs', 'await 1;\nconst a = 1;\nlet let;\nexport default 1;\n'],
  ['ts', 'const a: number = 1;\nexport default () => ({\n  name: "x" "y",\n});\n'],
])('a module that cannot be read is told with its line: .%s', async (ending, text) => {
  const frontmatter = ['models: offline/demo', `plugins: bad.${ending}`];
  const cwd = await folderWith({ 'desk.ai': agentFile(frontmatter), [`bad.${ending}`]: text });
  const { code, stderr } = await run(['desk.ai', 'When?'], { cwd });
  expect(code).toBe(1);
  expect(stderr).toMatch(new RegExp(`^desk\\.ai:3: error: plugins: bad\\.${ending}:3: cannot be imported: \\w`));
});
