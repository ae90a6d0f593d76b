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

test('input with a JSON contract is checked before a model is asked', async () => {
  const counter = agent('counter', ['never'], { input: { format: 'json', schema } });
  const { outcome } = await walk(counter, '{"n": "x"}');
  expect(outcome).toMatchObject({ status: 'failed', failure: { class: 'usage', code: 'session-input-invalid' } });
  expect(counter.model.requests).toEqual([]);
});
