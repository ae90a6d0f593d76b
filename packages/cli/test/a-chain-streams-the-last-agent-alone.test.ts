// The promise: of a chain of agents the command shows the words of the last alone, while they come, byte for byte; over a real streaming model.

import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { startInTerminal } from './support/pty.ts';
import { type Answer, listening } from './support/served.ts';

const member = (name: string, ...lines: readonly string[]) =>
  agentFile(['models: local/m', 'maxRetries: 1', ...lines], `You are ${name}.`);

/** What each writes, in the pieces it is streamed in; `until` holds back all but the first piece. */
interface Words {
  readonly pieces: readonly string[];
  readonly until?: Promise<void>;
  /** The connection breaks after the first piece. */
  readonly breaks?: boolean;
}

/** A word on the way to a call, which is no answer either. */
interface Calls {
  readonly word: string;
  readonly tool: string;
  readonly input: object;
  /** What it says when it has heard of the call. @default it calls again */
  readonly after?: Words;
}

type Says = Readonly<Record<string, Words | Calls>>;

const handOver: Calls = { word: 'Let me pass you on.', tool: 'router__handoff-to', input: { agent: 'billing' } };

const event = (choice: object) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, ...choice }] })}\n\n`;

function speaking(says: Says): Answer {
  return async ({ body }, response) => {
    const who = /You are (\w+)\./.exec(body)?.[1] ?? '';
    const first = says[who] ?? { pieces: [`${who} `, 'speaks'] };
    const words = 'tool' in first && first.after && body.includes('"role":"tool"') ? first.after : first;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if ('tool' in words) call(response, words);
    else if (await write(response, words)) return;
    response.end('data: [DONE]\n\n');
  };
}

function call(response: ServerResponse, { word, tool: name, input }: Calls): void {
  const called = { name, arguments: JSON.stringify(input) };
  response.write(event({ delta: { role: 'assistant', content: word } }));
  response.write(event({ delta: { tool_calls: [{ index: 0, id: 'c1', type: 'function', function: called }] } }));
  response.write(event({ delta: {}, finish_reason: 'tool_calls' }));
}

/** Whether it broke off. */
async function write(response: ServerResponse, { pieces, until, breaks }: Words): Promise<boolean> {
  const [first = '', ...rest] = pieces;
  response.write(event({ delta: { role: 'assistant', content: first } }));
  await until;
  if (breaks) return Boolean(response.destroy());
  for (const content of rest) response.write(event({ delta: { content } }));
  response.write(event({ delta: {}, finish_reason: 'stop' }));
  return false;
}

const team = {
  'desk.ai': member(
    'desk',
    'advisors: law.ai',
    'router: { destinations: billing.ai }',
    'handoff: [editor.ai, signer.ai]',
  ),
  'front.ai': member('front', 'router: { destinations: billing.ai }'),
  'law.ai': member('law'),
  'billing.ai': member('billing', 'description: Invoices'),
  'editor.ai': member('editor'),
  'signer.ai': member('signer'),
};

async function start(says: Says, files: Readonly<Record<string, string>> = {}) {
  const { url } = await listening(speaking({ desk: handOver, front: handOver, ...says }));
  return folderWith({ ...team, ...files, '.ai-agent.json': localProvider(url) });
}

const last = { pieces: ['Dear customer,\n', 'it is ', 'paid.\n\n', 'Yours'] };
const whole = last.pieces.join('');
const others = ['law speaks', 'billing speaks', 'editor speaks', 'pass you on'];

test('in a pipe stdout is the answer of the last, and nothing of those before', async () => {
  const cwd = await start({ signer: last });
  expect(await run(['desk.ai', '-q', 'Is it paid?'], { cwd })).toEqual({ code: 0, stdout: `${whole}\n`, stderr: '' });
});

test('on a terminal the last is read while it speaks; the others never are', async () => {
  const letGo = Promise.withResolvers<void>();
  const cwd = await start({ signer: { ...last, until: letGo.promise } });
  const terminal = startInTerminal(['desk.ai', '-q', 'Is it paid?'], { cwd });
  await terminal.shows('Dear customer,');
  expect(terminal.raw()).toBe('Dear customer,\r\n');
  letGo.resolve();
  expect(await terminal.ended).toBe(0);
  expect(terminal.raw()).toBe(`${whole}\n`.replaceAll('\n', '\r\n'));
});

test('below the panel too; and of a router without handoffs it is the destination', async () => {
  const letGo = Promise.withResolvers<void>();
  const cwd = await start({ billing: { ...last, until: letGo.promise } });
  const terminal = startInTerminal(['front.ai', 'Is it paid?'], { cwd });
  await terminal.shows(/^Dear customer,$/m);
  expect(terminal.history()[1]).toMatch(/^└─ ▾ destination billing .*turn 1/);
  letGo.resolve();
  expect(await terminal.ended).toBe(0);
  for (const words of others) expect(terminal.raw()).not.toContain(words);
  expect(terminal.history().join('\n').split('Dear customer,')).toHaveLength(2);
});

test('all that it answers for have its mark, and nobody looks unfinished above the words', async () => {
  const cwd = await start(
    { signer: last },
    {
      'billing.ai': member('billing', 'description: Invoices', 'handoff: editor.ai'),
      'editor.ai': member('editor', 'handoff: signer.ai'),
    },
  );
  const terminal = startInTerminal(['front.ai', 'Is it paid?'], { cwd });
  expect(await terminal.ended).toBe(0);
  const tree = terminal.history().slice(0, 4);
  const marks = ['▾ front', '└─ ▾ destination billing', '   └─ ▾ → editor', '      └─ ▾ → signer'];
  expect(tree.map((line) => line.replace(/ {3,}turn.*/, ''))).toEqual(marks);
  for (const line of tree) expect(line).toMatch(/ {2,}turn 1$/);
});

test('--events has it as it is: answers says whose answer a text is', async () => {
  const cwd = await start({ signer: last });
  const { stdout } = await run(['desk.ai', '-q', '--events', 'Is it paid?'], { cwd });
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const root = events.find(({ type }) => type === 'session-start').trace.selfId;
  const deltas = events.filter(({ type }) => type === 'text-delta');
  const answer = deltas.filter(({ answers }) => answers === root);
  expect(answer.map(({ text }) => text).join('')).toBe(whole);
  expect(new Set(answer.map(({ trace }) => trace.agentName))).toEqual(new Set(['signer']));
  expect(deltas.some(({ trace }) => trace.agentName === 'desk')).toBe(false);
});

test('a router that answers itself is read at the end', async () => {
  const letGo = Promise.withResolvers<void>();
  const cwd = await start({ front: { pieces: ['I know ', 'that myself.'], until: letGo.promise } });
  const terminal = startInTerminal(['front.ai', 'Is it paid?'], { cwd });
  await terminal.shows(/front .*thinking/);
  expect(terminal.raw()).not.toContain('I know');
  letGo.resolve();
  expect(await terminal.ended).toBe(0);
  expect(terminal.history()).toContain('I know that myself.');
});

test('a JSON report of the last is withheld until it is valid', async () => {
  const letGo = Promise.withResolvers<void>();
  const output = 'output: { format: json, schema: { type: object, required: [paid] } }';
  const cwd = await start(
    { signer: { pieces: ['{"paid"', ': true}'], until: letGo.promise } },
    { 'signer.ai': member('signer', output) },
  );
  const terminal = startInTerminal(['desk.ai', 'Is it paid?'], { cwd });
  await terminal.shows(/→ signer .*thinking/);
  expect(terminal.raw()).not.toContain('paid"');
  letGo.resolve();
  expect(await terminal.ended).toBe(0);
  expect(terminal.history().join('\n')).toContain('{\n  "paid": true\n}');
});

test('Ctrl-C while the last speaks keeps what it said so far as the answer', async () => {
  const letGo = Promise.withResolvers<void>();
  const cwd = await start({ signer: { ...last, until: letGo.promise } });
  const terminal = startInTerminal(['desk.ai', 'Is it paid?'], { cwd });
  await terminal.shows(/^Dear customer,$/m);
  terminal.type('\u0003');
  expect(await terminal.ended).toBe(5);
  letGo.resolve();
  const seen = terminal.history().join('\n');
  expect(seen).toContain('partial: it was stopped.');
  expect(seen.split('Dear customer,')).toHaveLength(2);
});

test('Ctrl-C while the last waits for somebody else is a stop: it has the last turn, and what it said on the way stands', async () => {
  const never = new Promise<void>(() => {});
  const cwd = await start(
    {
      signer: {
        word: 'Let me ask.',
        tool: 'agent__helper',
        input: { text: 'x', reason: 'Ask it' },
        after: { pieces: ['As far ', 'as I know.'] },
      },
      helper: { pieces: ['Hm'], until: never },
    },
    {
      'signer.ai': member('signer', 'agents: helper.ai'),
      'helper.ai': member('helper', 'description: Helps'),
    },
  );
  const terminal = startInTerminal(['desk.ai', 'Is it paid?'], { cwd });
  // Its words stand above, and the panel goes on below them.
  await terminal.shows(/^Let me ask\.$[\s\S]*helper {2}Ask it .*(thinking|writing)/m);
  terminal.type('\u0003');
  expect(await terminal.ended).toBe(5);
  const seen = terminal.history().join('\n');
  expect(seen).toMatch(
    /Let me ask\.[\s\S]*Stopping with what there is\.[\s\S]*^As far as I know\.$[\s\S]*partial: it was stopped\./m,
  );
  for (const words of ['Let me ask.', 'As far as I know.']) expect(seen.split(words)).toHaveLength(2);
});

test('where the last breaks off, what was read stands, and the answer before it is not lost', async () => {
  const letGo = Promise.withResolvers<void>();
  const cwd = await start({ signer: { ...last, breaks: true, until: letGo.promise } });
  const terminal = startInTerminal(['desk.ai', '-q', 'Is it paid?'], { cwd });
  await terminal.shows('Dear customer,');
  letGo.resolve();
  expect(await terminal.ended).toBe(2);
  expect(terminal.history().join('\n')).toMatch(/^Dear customer,\n[\s\S]*What it had written:\neditor speaks\n/);
});
