import { describe, expect, test } from 'vitest';
import { agent, walk } from './support/walk.ts';

const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
const output = { format: 'json', schema } as const;

describe('a report that keeps its contract', () => {
  test.each([
    ['{"n": 1}'],
    ['```json\n{"n": 1}\n```'],
    ['Here it is:\n```json\n{"n": 1}\n```\nDone.'],
    ['The answer is {"n": 1}, as asked.'],
  ])('%j', async (text) => {
    const { outcome } = await walk(agent('counter', [text], { output }));
    expect(outcome).toMatchObject({ status: 'completed', report: { n: 1 }, text: '{"n":1}' });
  });
});

describe('a text that only quotes some JSON is not replaced by the quotation', () => {
  test.each([
    ['The ferry carries 40 cars, see [1].'],
    ['Write it as:\n```json\n[1]\n```\nand send it.'],
    ['It is {"n": 1} or so.'],
  ])('%j', async (text) => {
    const writer = agent('writer', [text, '[2]']);
    const { outcome } = await walk(writer, 'go', { output: { format: 'json' } });
    expect(outcome).toMatchObject({ status: 'completed', report: [2] });
    expect(writer.model.requests.map((request) => request.output.format)).toEqual(['text', 'json']);
  });
});

test('a report that the output limit cut is partial, never a disobedience and never half a number', async () => {
  for (const text of ['{"n": 1', '', '12']) {
    const { outcome } = await walk(
      agent('counter', [{ text, finishReason: 'length' }], { output: { format: 'json' } }),
    );
    expect(outcome).toMatchObject({ status: 'partial', limit: 'maxOutputTokens' });
    expect(outcome).not.toHaveProperty('report');
  }
});

test('a contract that the caller asked for is told even when the first reply was empty', async () => {
  const writer = agent('writer', ['', 'one', '{"n": 1}']);
  const { outcome } = await walk(writer, 'how many?', { output });
  expect(outcome).toMatchObject({ status: 'completed', report: { n: 1 } });
  expect(JSON.stringify(writer.model.requests[2]?.messages.at(-1))).toContain('required');
});

test('repairs are counted in a row: a tool call in between begins anew', async () => {
  const tool = { name: 'tick', inputSchema: { type: 'object' }, execute: () => 'tock' };
  const script = ['no', { calls: [{ name: 'tick' }] }, 'no', { calls: [{ name: 'tick' }] }, '{"n": 1}'];
  const { outcome } = await walk(agent('counter', script, { output, tools: [tool], limits: { maxRepairs: 1 } }));
  expect(outcome).toMatchObject({ status: 'completed', report: { n: 1 } });
});

test('an ending without words of its own keeps the last ones that were said', async () => {
  const tool = { name: 'tick', inputSchema: { type: 'object' }, execute: () => 'tock' };
  const script = [
    { text: 'Half of it.', calls: [{ name: 'tick' }] },
    { text: '', finishReason: 'length' as const },
  ];
  expect((await walk(agent('counter', script, { tools: [tool] }))).outcome).toMatchObject({
    status: 'partial',
    text: 'Half of it.',
  });
});

test('a report that breaks it is sent back with the reasons, and the repaired one is taken', async () => {
  const counter = agent('counter', ['one', '{"n": "1"}', '{"n": 1}'], { output });
  const { outcome, events } = await walk(counter);
  expect(outcome).toMatchObject({ status: 'completed', report: { n: 1 } });
  const repairs = events.filter((event) => event.type === 'turn-start').map((event) => JSON.stringify(event.said));
  expect(repairs[0]).toBe('[]');
  expect(repairs[1]).toContain('it is not one JSON document');
  expect(repairs[2]).toContain('\\"n\\" must be integer');
});

test('when it cannot be repaired the run fails as invalid_output, with the text and without a report', async () => {
  const { outcome } = await walk(agent('counter', () => 'never JSON', { output, limits: { maxRepairs: 2 } }));
  expect(outcome).toMatchObject({
    status: 'failed',
    failure: { class: 'invalid_output', code: 'output-invalid' },
    text: 'never JSON',
  });
  expect(outcome).not.toHaveProperty('report');
  expect(outcome.ledger.total.modelCalls).toBe(3);
});

test('a turn limit during repair is partial, with text and without a report', async () => {
  const { outcome } = await walk(agent('counter', () => 'not yet', { output, limits: { maxTurns: 2 } }));
  expect(outcome).toMatchObject({ status: 'partial', limit: 'maxTurns', text: 'not yet' });
  expect(outcome.usage.modelCalls).toBe(2);
  expect(outcome).not.toHaveProperty('report');
});

test('a caller may ask any agent for JSON: its text is turned into it by one more turn', async () => {
  const writer = agent('writer', ['There is one.', '{"n": 1}']);
  const { outcome } = await walk(writer, 'how many?', { output });
  expect(outcome).toMatchObject({ status: 'completed', report: { n: 1 } });
  expect(writer.model.requests).toHaveLength(2);
  expect(writer.model.requests[0]?.system).toBe('You are writer.');
  expect(JSON.stringify(writer.model.requests[1]?.messages.at(-1))).toContain('\\"required\\":[\\"n\\"]');
});

test('turning a text into JSON is no repair: it happens also where none is allowed', async () => {
  const writer = agent('writer', ['There is one.', '{"n": 1}'], { limits: { maxRepairs: 0 } });
  expect((await walk(writer, 'how many?', { output })).outcome).toMatchObject({
    status: 'completed',
    report: { n: 1 },
  });
});

test('deltas of a JSON report are withheld', async () => {
  const { events } = await walk(agent('counter', ['{"n": 1}'], { output }));
  expect(events.filter((event) => event.type === 'text-delta')).toEqual([]);
});

test('an empty reply is asked again, and in the end is a failure, never an empty success', async () => {
  const { outcome } = await walk(agent('mute', ['', 'Here.']));
  expect(outcome).toMatchObject({ status: 'completed', text: 'Here.' });
  const { outcome: silent } = await walk(agent('mute', () => ''));
  expect(silent).toMatchObject({ status: 'failed', failure: { class: 'invalid_output' } });
});

test('a refusal is a failure that keeps what was said', async () => {
  const { outcome } = await walk(agent('prim', [{ text: 'I cannot', finishReason: 'content-filter' }]));
  expect(outcome).toMatchObject({ status: 'failed', failure: { code: 'model-refusal' }, text: 'I cannot' });
});

test.each(['{"n": "x"}', 'please do {"n": 1} now'])(
  'input with a JSON contract is checked before a model is asked: %s',
  async (prompt) => {
    const counter = agent('counter', ['never'], { input: { format: 'json', schema } });
    const { outcome } = await walk(counter, prompt);
    expect(outcome).toMatchObject({ status: 'failed', failure: { class: 'usage', code: 'session-input-invalid' } });
    expect(counter.model.requests).toEqual([]);
  },
);

test('a model that writes nothing but line breaks costs no time', async () => {
  const text = `\`\`\`json\n${'\n'.repeat(200_000)}`;
  const begun = performance.now();
  const { outcome } = await walk(agent('counter', () => text, { output, limits: { maxRepairs: 0 } }));
  expect(outcome).toMatchObject({ status: 'failed', failure: { class: 'invalid_output' } });
  expect(performance.now() - begun).toBeLessThan(2000);
});
