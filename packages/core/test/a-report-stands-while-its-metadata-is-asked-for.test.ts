// The promise: metadata is taken out of the answer and held to its schema; the report stands while only the metadata is
// asked for again, and is never lost because of it.
import { type Agent, inProcess, journaled, MemoryJournal, type Middleware, type ReportPlugin } from '@ai-agent/core';
import { type Script, strict } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { agent, nextTick, walk } from './support/walk.ts';

// FNV-1a of the session id s1.
const tag = 'ai-agent-0851b8c9-META';
const schema = { type: 'object', required: ['mood'], properties: { mood: { enum: ['calm', 'angry'] } } };
const block = (name: string, value: unknown = { mood: 'calm' }) =>
  `<${tag} plugin="${name}">${typeof value === 'string' ? value : JSON.stringify(value)}</${tag}>`;

const plugin = (name: string, more: Partial<ReportPlugin['requirements']> = {}): ReportPlugin => ({
  name,
  requirements: { schema, instructions: `Say how ${name} feels.`, ...more },
  onComplete() {},
});

const desk = (script: Script, more: Partial<Agent> = {}) =>
  agent('desk', script, { plugins: [plugin('mood')], ...more });
const lastSaid = ({ model }: ReturnType<typeof desk>) => JSON.stringify(model.requests.at(-1)?.messages.at(-1));

test('the system prompt has the words of each plugin, its tags and its schema, at the end', async () => {
  const words = { instructions: 'Fill <ai-agent-NONCE-META>.', example: 'See NONCE.', reminder: 'Never here: NONCE' };
  const one = desk([`Hi. ${block('mood')}${block('other')}`], { plugins: [plugin('mood', words), plugin('other')] });
  await walk(one);
  expect(one.model.requests[0]?.system).toBe(
    [
      'You are desk.',
      'In the message with your final answer, write metadata too: after the answer, for each of the following, one JSON document between its two tags. Metadata is no part of the answer, and whoever reads the answer does not see it.',
      `Fill <${tag}>.`,
      `<${tag} plugin="mood">JSON</${tag}>\nwhere JSON satisfies this JSON Schema:\n${JSON.stringify(schema)}`,
      'Example:\nSee 0851b8c9.',
      'Say how other feels.',
      `<${tag} plugin="other">JSON</${tag}>\nwhere JSON satisfies this JSON Schema:\n${JSON.stringify(schema)}`,
    ].join('\n\n'),
  );
});

test('given at once: the answer is the report without it; ending, fact and tree have it', async () => {
  const { outcome, events } = await walk(desk([`The report.\n\n${block('mood')}`]));
  expect(outcome).toMatchObject({ status: 'completed', text: 'The report.', metadata: { mood: { mood: 'calm' } } });
  expect(events.at(-1)).toMatchObject({ type: 'session-end', ending: { metadata: { mood: { mood: 'calm' } } } });
  expect(outcome.tree).toMatchObject({ output: 'The report.', metadata: { mood: { mood: 'calm' } } });
});

test.each([
  ['at once', [`<ai-agent-0851b8c9-FINAL format="text">The report.</ai-agent-0851b8c9-FINAL>\n${block('mood')}`]],
  ['inside it', [`<ai-agent-0851b8c9-FINAL>The report.\n${block('mood')}\n</ai-agent-0851b8c9-FINAL>`]],
  ['later', ['<ai-agent-0851b8c9-FINAL>The report.</ai-agent-0851b8c9-FINAL>', block('mood')]],
])('beside a report in older tags, %s; nobody hears a tag', async (_, script) => {
  const { outcome, events } = await walk(desk(script));
  expect(outcome).toMatchObject({ status: 'completed', text: 'The report.', metadata: { mood: { mood: 'calm' } } });
  const streamed = events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : [])).join('');
  expect(streamed.trim()).toBe('The report.');
});

describe('missing or wrong', () => {
  test('is asked for again by name, with the problems and the schema; the first report is the answer', async () => {
    const one = desk([`First. ${block('mood', { mood: 'odd' })}`, `Second thoughts. ${block('mood')}`], {
      plugins: [plugin('mood', { reminder: 'Use NONCE.' })],
    });
    const { outcome } = await walk(one);
    expect(outcome).toMatchObject({ status: 'completed', text: 'First.', metadata: { mood: { mood: 'calm' } } });
    expect(one.model.requests.at(-1)?.messages.at(-1)).toEqual({
      role: 'user',
      content: [
        {
          type: 'text',
          text: `Your answer stands; do not write it again. Its metadata is not right yet:\n- mood: "mood" must be one of ["calm","angry"]\nReply with this and nothing else:\n\n<${tag} plugin="mood">JSON</${tag}>\nwhere JSON satisfies this JSON Schema:\n${JSON.stringify(schema)}\n\nUse 0851b8c9.`,
        },
      ],
    });
  });

  test('only those that lack it are asked for, and each is kept from when it was right', async () => {
    const script = [`R. ${block('a')}`, block('b', 'no JSON'), block('b', { mood: 'angry' })];
    const one = desk(script, { plugins: [plugin('a'), plugin('b')] });
    const { outcome } = await walk(one);
    expect(outcome).toMatchObject({ text: 'R.', metadata: { a: { mood: 'calm' }, b: { mood: 'angry' } } });
    expect(lastSaid(one)).toContain('- b: it is not one JSON document');
    expect(lastSaid(one)).not.toContain('- a:');
  });

  test.each([
    [{}, 4],
    [{ maxRepairs: 1 }, 2],
    [{ maxRepairs: 0 }, 1],
    [{ maxTurns: 3 }, 2],
    [{ maxTurns: 1 }, 1],
  ])('with limits %j there are %i requests, then the report is accepted without it', async (limits, requests) => {
    const one = desk((_, call) => `Report ${call}.`, { limits });
    const { outcome } = await walk(one);
    expect(outcome).toMatchObject({ status: 'completed', text: 'Report 1.' });
    expect(outcome).not.toHaveProperty('metadata');
    expect(one.model.requests).toHaveLength(requests);
  });

  test('metadata without a report is no answer', async () => {
    const { outcome } = await walk(desk([block('mood'), 'The report.']));
    expect(outcome).toMatchObject({ status: 'completed', text: 'The report.', metadata: { mood: { mood: 'calm' } } });
  });
});

describe('with a JSON contract', () => {
  const output = { format: 'json', schema: { type: 'object', required: ['n'] } } as const;

  test('the report is read without it, is repaired first, and stands after that', async () => {
    const one = desk(['{"m": 1}', '{"n": 2}', `{"n": 3} ${block('mood')}`], { output });
    const { outcome } = await walk(one);
    expect(outcome).toMatchObject({ status: 'completed', report: { n: 2 }, metadata: { mood: { mood: 'calm' } } });
    expect(outcome.text).toBe('{"n":2}');
    // A provider that enforces the contract would leave no room for blocks.
    expect(one.model.requests.map((request) => request.output.format)).toEqual(['text', 'text', 'text']);
  });

  test('a text that the caller wants as JSON is turned into it first', async () => {
    const one = desk(['It is {"n": 1}.', `{"n": 2}`, block('mood')]);
    const { outcome } = await walk(one, 'go', { output });
    expect(outcome).toMatchObject({ report: { n: 2 }, metadata: { mood: { mood: 'calm' } } });
  });

  test('a report that never fits fails as without plugins', async () => {
    const { outcome } = await walk(desk(() => `no ${block('mood')}`, { output, limits: { maxRepairs: 1 } }));
    expect(outcome).toMatchObject({ status: 'failed', failure: { code: 'output-invalid' }, text: 'no' });
  });
});

describe('a report that stands is not lost with the turn that asks', () => {
  test.each([
    ['the model fails', { fail: { code: 'model-auth' as const } }],
    ['the reply is refused', { text: '', finishReason: 'content-filter' as const }],
    ['the reply is cut', { text: `<${tag} plugin="mood">{"mo`, finishReason: 'length' as const }],
    ['the reply is empty', ''],
  ])('%s', async (_, second) => {
    const { outcome } = await walk(desk([`R. ${block('mood', {})}`, second], { limits: { maxRepairs: 1 } }));
    expect(outcome).toMatchObject({ status: 'completed', text: 'R.' });
    expect(outcome).not.toHaveProperty('metadata');
  });

  test('the budget ends', async () => {
    const { outcome } = await walk(desk(['R.', 'never'], { budget: { turns: 2 } }));
    expect(outcome).toMatchObject({ status: 'completed', text: 'R.' });
  });
});

describe('a limit', () => {
  const tools = [{ name: 'tick', inputSchema: { type: 'object' }, execute: () => 'tock' }];

  test('the last turn takes what is there, and does not ask', async () => {
    const tick = { calls: [{ name: 'tick' }] };
    const one = desk([tick, `What I have. ${block('mood')}`], { tools, limits: { maxTurns: 2 } });
    expect((await walk(one)).outcome).toMatchObject({
      status: 'partial',
      text: 'What I have.',
      metadata: { mood: { mood: 'calm' } },
    });
    expect(one.model.requests[1]?.messages).toHaveLength(4);
    const other = desk([tick, 'What I have.'], { tools, limits: { maxTurns: 2 } });
    expect((await walk(other)).outcome).toMatchObject({ status: 'partial', text: 'What I have.' });
  });

  test('nothing of a block is in what was said before an end without an answer', async () => {
    const script = [
      { text: `Half. ${block('mood')}`, calls: [{ name: 'tick' }] },
      { fail: { code: 'model-auth' as const } },
    ];
    const { outcome } = await walk(desk(script, { tools }));
    expect(outcome).toMatchObject({ status: 'failed', text: 'Half.' });
  });
});

test('a replay decides the same, and asks nobody', async () => {
  const journal = new MemoryJournal();
  const options = () => ({ runtime: strict(journaled(inProcess, journal), { nextTick }), sessionId: 's1' });
  const first = await walk(desk(['First.', 'Second.', block('mood')]), 'go', options());
  const again = desk(() => ({ fail: { code: 'internal' } }));
  const second = await walk(again, 'go', options());
  expect(second.outcome).toEqual(first.outcome);
  expect(second.outcome).toMatchObject({ status: 'completed', text: 'First.', metadata: { mood: { mood: 'calm' } } });
  expect(again.model.requests).toEqual([]);
});

test.each<[string, NonNullable<Middleware['decide']>['answer']]>([
  ['by its length', (verdict) => (verdict.text.length > 10 ? { ...verdict, retry: 'Shorter.' } : verdict)],
  ['once', (verdict, { repairs }) => (repairs === 0 ? { ...verdict, retry: 'Think again.' } : verdict)],
])('an answer that a layer of the embedder sent back, %s, is not the one that stands', async (_, answer) => {
  const script = ['Far too long.', 'Short.', `Other. ${block('mood')}`];
  const { outcome } = await walk(desk(script, { middleware: [{ name: 'mine', decide: { answer: answer as never } }] }));
  expect(outcome).toMatchObject({ text: 'Short.', metadata: { mood: { mood: 'calm' } } });
});

test.each([
  ['no list', {}, 'plugins is an object and must be a list of plugins'],
  ['two of one name', [plugin('a'), plugin('a')], 'plugins[1].name is a, as that of another plugin'],
  ['a name that no record can have', [plugin('__proto__')], 'plugins[0].name is "__proto__" and must be'],
  ['a name that breaks its tag', [plugin('a"b')], 'plugins[0].name is "a\\"b" and must be 1 to 128 letters'],
  [
    'a schema that is none',
    [plugin('a', { schema: { type: 'thing' } })],
    'the schema of plugin a of agent desk is not',
  ],
  [
    'no onComplete',
    [{ ...plugin('a'), onComplete: undefined }],
    'plugins[0].onComplete is undefined and must be a function',
  ],
])('%s is refused', async (_, plugins, message) => {
  await expect(walk(desk(['Hi.'], { plugins: plugins as never }))).rejects.toThrow(message);
});
