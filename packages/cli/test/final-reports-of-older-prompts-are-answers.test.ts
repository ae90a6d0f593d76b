// With the real command and a server of chat completions: tags and calls that older prompts taught are no part of an answer.

import { join } from 'node:path';
import { AIAgentSession, ask, loadAgent, type Message } from '@ai-agent/cli';
import { expect, test } from 'vitest';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { served } from './support/served.ts';

const open = (format: string) => `<ai-agent-0f3a9c1e-FINAL format="${format}">`;
const close = '</ai-agent-0f3a9c1e-FINAL>';
const meta = '<ai-agent-0f3a9c1e-META plugin="support">{"ticket":true}</ai-agent-0f3a9c1e-META>';
const wrapped = `${open('markdown')}\n# Tea\n\nWith milk < 2 %.\n${close}\n${meta}`;
const inside = '# Tea\n\nWith milk < 2 %.';

type Script = Parameters<typeof served>[0];

async function desk(script: Script, frontmatter: readonly string[] = []) {
  const server = await served(script, { pieces: 200 });
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m', ...frontmatter], 'Write your final report.'),
    '.ai-agent.json': localProvider(server.baseUrl),
  });
  return { cwd, server };
}

const reporting = (input: object) => ({ calls: [{ name: 'agent__final_report', input, id: 'r1' }] });

test.each(['--stream', '--no-stream'])('stdout has the report without its tags: %s', async (flag) => {
  const { cwd } = await desk([wrapped]);
  const { code, stdout } = await run(['desk.ai', '-q', flag, 'hello'], { cwd });
  expect([code, stdout]).toEqual([0, `${inside}\n`]);
});

test('the events of the command show no tag, in pieces of a few letters', async () => {
  const { cwd } = await desk([`I am done.\n${wrapped}`]);
  const { stdout } = await run(['desk.ai', '--events', 'hello'], { cwd });
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const deltas = events.flatMap(({ type, text }) => (type === 'text-delta' ? [text] : []));
  expect(deltas.length).toBeGreaterThan(5);
  expect(deltas.join('')).toBe(`I am done.\n${inside}`);
  expect(events.at(-1)).toMatchObject({ type: 'session-end', ending: { status: 'completed', text: inside } });
});

test.each([
  ['in tags', `Here:\n${open('json')}{"city": "Oslo"}${close}`],
  ['in a call that nobody offered', reporting({ report_format: 'json', content_json: { city: 'Oslo' } })],
])('a JSON report is read %s', async (_, step) => {
  const schema = '{type: object, properties: {city: {type: string}}, required: [city]}';
  const { cwd, server } = await desk([step], [`output: {format: json, schema: ${schema}}`]);
  const { stdout } = await run(['desk.ai', '-q', 'hello'], { cwd });
  expect(stdout).toBe('{"city":"Oslo"}\n');
  expect(server.requests).toHaveLength(1);
});

test('a caller who asks for JSON gets what the tags hold', async () => {
  const { cwd, server } = await desk([`${open('text')}{"city":"Oslo"}${close}`]);
  const { agent } = await loadAgent(join(cwd, 'desk.ai'), { cwd, env: {} });
  const outcome = await ask(agent, 'hello', { output: { format: 'json', schema: { type: 'object' } } });
  expect(outcome).toMatchObject({ status: 'completed', report: { city: 'Oslo' } });
  expect(server.requests).toHaveLength(1);
});

test('a call for the final report that nobody offered is the answer', async () => {
  const { cwd, server } = await desk([reporting({ report_format: 'markdown', report_content: inside })]);
  const { code, stdout } = await run(['desk.ai', '-q', 'hello'], { cwd });
  expect([code, stdout]).toEqual([0, `${inside}\n`]);
  expect(server.requests).toHaveLength(1);
});

test('a conversation that goes on has the words of the model, and no call without its result', async () => {
  const { cwd, server } = await desk([reporting({ report: 'Tea.' }), wrapped, 'Bye.']);
  const { agent } = await loadAgent(join(cwd, 'desk.ai'), { cwd, env: {} });
  const history: Message[] = [];
  for (const prompt of ['one', 'two', 'three']) {
    const session = new AIAgentSession({ agent, history: [...history] }).run(prompt);
    history.push({ role: 'user', content: [{ type: 'text', text: prompt }] });
    for await (const event of session.events)
      if (event.type === 'model-end' && event.reply) history.push(event.reply.message);
    expect((await session.outcome).status).toBe('completed');
  }
  const said = server.requests[2]?.messages.flatMap(({ role, ...message }) =>
    role === 'assistant' ? [(message as { content: unknown }).content] : [],
  );
  expect(said).toEqual([[{ type: 'text', text: 'Tea.' }], [{ type: 'text', text: wrapped }]]);
});
