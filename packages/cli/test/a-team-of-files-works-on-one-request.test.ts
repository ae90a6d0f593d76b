// The promise: advisors, a router and a handoff of one agent file work on one request in their order, each asked exactly what it should be.

import type { ModelRequest } from '@ai-agent/cli';
import type { Script, Step } from '@ai-agent/cli/testing';
import { expect, test } from 'vitest';
import { promptIn } from './support/calls.ts';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { served } from './support/served.ts';

const member = (name: string, ...lines: readonly string[]) =>
  agentFile(['models: local/m', ...lines], `You are ${name}.`);

const team = {
  'desk.ai': member(
    'desk',
    'advisors: advice/law.ai, advice/money.ai',
    'router:',
    '  destinations:',
    '    - places/billing.ai',
    '    - places/shipping.ai',
    'handoff: [after/editor.ai, after/translator.ai]',
  ),
  'advice/law.ai': member('law', 'toolName: law.de'),
  'advice/money.ai': member('money', 'output: {format: json, schema: {type: object, required: [limit]}}'),
  'places/billing.ai': member('billing', 'description: Invoices and payments'),
  'places/shipping.ai': member('shipping', 'description: Parcels', 'input: {format: json, schema: {type: object}}'),
  'after/editor.ai': member('editor', 'agents: speller.ai'),
  'after/speller.ai': member('speller', 'description: Spells'),
  'after/translator.ai': member('translator', 'toolName: to.french'),
};

const nameIn = ({ system }: ModelRequest) => /^You are (\w+)\./.exec(system)?.[1] ?? '';

async function start(says: Readonly<Record<string, Step | string>>, files: Readonly<Record<string, string>> = team) {
  const script: Script = (request) => says[nameIn(request)] ?? `${nameIn(request)} speaks`;
  const model = await served(script);
  const cwd = await folderWith({ ...files, '.ai-agent.json': localProvider(model.baseUrl) });
  return {
    model,
    run: (...args: readonly string[]) => run([...args, 'Where is it?'], { cwd }),
    /** Who was asked; the advisors, who are asked at once, by name. */
    order: () => {
      const names = model.requests.map(nameIn);
      return [...names.slice(0, 2).sort(), ...names.slice(2)];
    },
    promptsOf: (name: string) => model.requests.filter((one) => nameIn(one) === name).map(promptIn),
    requestOf: (name: string) => model.requests.find((one) => nameIn(one) === name),
  };
}

const tagged = (nonce: string) => ({
  advice: (agent: string, text: string) => `<advisory__${nonce} agent="${agent}">\n${text}\n</advisory__${nonce}>`,
  answer: (agent: string, text: string) => `<response__${nonce} agent="${agent}">\n${text}\n</response__${nonce}>`,
  asked: `<original_user_request__${nonce}>\nWhere is it?\n</original_user_request__${nonce}>`,
});

const nonceIn = (text: string | undefined) => /__([0-9a-f]+)>/.exec(text ?? '')?.[1] ?? 'none';

const handOver = (agent: string, message?: string): Step => ({
  calls: [{ name: 'router__handoff-to', input: { agent, ...(message === undefined ? {} : { message }) } }],
});

test('advisors, the router, its destination, the pipeline: in this order, and these prompts', async () => {
  const desk = await start({ money: '{"limit": 9}', desk: handOver('shipping', 'She wrote before.') });
  const ended = await desk.run('desk.ai', '-q');
  expect(ended).toEqual({ code: 0, stdout: 'translator speaks\n', stderr: '' });
  expect(desk.order()).toEqual(['law', 'money', 'desk', 'shipping', 'editor', 'translator']);
  expect(desk.promptsOf('law')).toEqual(['Where is it?']);
  expect(desk.promptsOf('money')).toEqual(['Where is it?']);
  const [asked = ''] = desk.promptsOf('desk');
  const said = tagged(nonceIn(asked));
  expect(asked).toBe(
    [said.advice('law.de', 'law speaks'), said.advice('money', '{"limit":9}'), said.asked].join('\n\n'),
  );
  // Tags of one session are not those of another.
  const isAsked = (name: string, toBlock: (tags: ReturnType<typeof tagged>) => string) => {
    const [prompt = ''] = desk.promptsOf(name);
    const tags = tagged(nonceIn(prompt));
    expect(prompt).toBe([toBlock(tags), tags.asked].join('\n\n'));
  };
  isAsked('shipping', ({ advice }) => advice('desk', 'She wrote before.'));
  isAsked('editor', ({ answer }) => answer('shipping', 'shipping speaks'));
  isAsked('translator', ({ answer }) => answer('editor', 'editor speaks'));
  // Each asks with its own prompt and its own tools, and is told nothing else of the others.
  for (const { messages } of desk.model.requests) expect(messages.map(({ role }) => role)).toEqual(['user']);
  expect(desk.requestOf('shipping')?.system).toBe('You are shipping.');
  expect(desk.requestOf('editor')?.tools.map(({ name }) => name)).toEqual(['agent__speller']);
  expect(desk.requestOf('desk')?.tools.map(({ name }) => name)).toEqual(['router__handoff-to']);
  expect(desk.requestOf('desk')?.tools[0]?.inputSchema).toMatchObject({
    properties: { agent: { enum: ['billing', 'shipping'] } },
    required: ['agent'],
  });
  expect(desk.requestOf('desk')?.system).toContain('- billing: Invoices and payments\n- shipping: Parcels');
});

test('a router that answers itself is handed on just the same', async () => {
  const desk = await start({ money: '{"limit": 9}', desk: 'Here.' });
  expect((await desk.run('desk.ai', '-q')).stdout).toBe('translator speaks\n');
  expect(desk.order()).toEqual(['law', 'money', 'desk', 'editor', 'translator']);
  const [asked = ''] = desk.promptsOf('editor');
  const said = tagged(nonceIn(asked));
  expect(asked).toBe([said.answer('desk', 'Here.'), said.asked].join('\n\n'));
});

const refused: Step = { fail: { code: 'model-auth', message: 'no such key' } };

test('an advisor that fails says so in its place, the other is heard, and the answer comes', async () => {
  const desk = await start({ law: refused, money: '{"limit": 9}', desk: 'Here.' });
  const ended = await desk.run('desk.ai', '-q');
  expect(ended).toMatchObject({ code: 0, stdout: 'translator speaks\n' });
  const [asked = ''] = desk.promptsOf('desk');
  const tags = tagged(nonceIn(asked));
  const [failed = '', ...rest] = asked.split('\n\n');
  expect(failed).toMatch(/^<advisory__[0-9a-f]{8} agent="law\.de">\nFailed \(auth\): .*no such key/);
  expect(rest.slice(-2).join('\n\n')).toBe([tags.advice('money', '{"limit":9}'), tags.asked].join('\n\n'));
});

test('a handoff that fails ends the run as failed, and what was written before it is not lost', async () => {
  const desk = await start({ money: '{"limit": 9}', desk: 'Here.', translator: refused });
  const { code, stdout, stderr } = await desk.run('desk.ai', '-q');
  // No half answer goes to whoever reads stdout.
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('What it had written:\neditor speaks\n');
  expect(stderr).toContain('The handoff to to.french failed: ');
});

test('without a message the destination is asked what the router was asked', async () => {
  const files = { ...team, 'desk.ai': member('desk', 'router: { destinations: places/billing.ai }') };
  const desk = await start({ desk: handOver('billing') }, files);
  expect((await desk.run('desk.ai', '-q')).stdout).toBe('billing speaks\n');
  expect(desk.promptsOf('billing')).toEqual(['Where is it?']);
});

test('--advisors and --handoff replace the lists of the file, and take them away', async () => {
  const desk = await start({});
  const flags = ['--advisors', 'places/billing.ai', '--handoff=after/translator.ai,after/editor.ai'];
  expect((await desk.run('desk.ai', '-q', ...flags)).stdout).toBe('editor speaks\n');
  expect(desk.model.requests.map(nameIn)).toEqual(['billing', 'desk', 'translator', 'editor']);
  const alone = await start({});
  expect((await alone.run('desk.ai', '-q', '--advisors=', '--handoff=')).stdout).toBe('desk speaks\n');
  expect(alone.model.requests.map(nameIn)).toEqual(['desk']);
});

test('a file that nobody lists as a tool runs as a chain of its own, as deep as the files go', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const files = names.map((name, i) => [
    `${name}.ai`,
    member(name, ...(names[i + 1] === undefined ? [] : [`handoff: ${names[i + 1]}.ai`])),
  ]);
  const chain = await start({}, Object.fromEntries(files));
  expect(await chain.run('a.ai', '-q')).toEqual({ code: 0, stdout: 'f speaks\n', stderr: '' });
  expect(chain.model.requests.map(nameIn)).toEqual(names);
});
