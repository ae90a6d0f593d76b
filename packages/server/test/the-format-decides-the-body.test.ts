// The promise: `format` decides what the body is, JSON keeps a schema, and an agent's own contract is kept.

import type { Agent, JsonSchema } from '@ai-agent/core';
import { asPartner } from '@ai-agent/core';
import type { ScriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { agentOf } from './contract/people.ts';
import { refusalOf, restApp } from './support/rest-app.ts';

const schema: JsonSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
const encoded = encodeURIComponent(JSON.stringify(schema));

const talker = () => agentOf('talker', ({ output }) => (output.format === 'json' ? '{"n":1}' : `in ${output.format}`));
const counter = () => agentOf('counter', ['{ "n": 2 }'], { output: { format: 'json', schema } });

async function bodyOf(response: Response): Promise<readonly [number, string | null, string]> {
  return [response.status, response.headers.get('content-type'), await response.text()];
}

test.each([
  ['/v1/talker?q=a', 'text/plain; charset=utf-8', 'in text'],
  ['/v1/talker?q=a&format=text', 'text/plain; charset=utf-8', 'in text'],
  ['/v1/talker?q=a&format=markdown', 'text/markdown; charset=utf-8', 'in markdown'],
  [`/v1/talker?q=a&format=json&schema=${encoded}`, 'application/json; charset=utf-8', '{"n":1}'],
])('an agent of words: %s', async (path, type, body) => {
  expect(await bodyOf(await restApp([talker()]).get(path))).toEqual([200, type, body]);
});

test.each([
  ['/v1/counter?q=a', 'application/json; charset=utf-8'],
  ['/v1/counter?q=a&format=json', 'application/json; charset=utf-8'],
  ['/v1/counter?q=a&format=text', 'text/plain; charset=utf-8'],
  ['/v1/counter?q=a&format=markdown', 'text/markdown; charset=utf-8'],
])('an agent of data keeps its contract: %s', async (path, type) => {
  const agent = counter();
  expect(await bodyOf(await restApp([agent]).get(path))).toEqual([200, type, '{"n":2}']);
  expect((agent.model as ScriptedModel).requests[0]?.output).toEqual({ format: 'json', schema });
});

test('nothing asked for is what the agent gives: also when another has the last word', async () => {
  const notes = agentOf('notes', ['# Notes'], { output: { format: 'markdown' } });
  const chain = agentOf('chain', ['words'], { handoff: [asPartner(counter())] });
  const { get } = restApp([notes, chain]);
  expect(await bodyOf(await get('/v1/notes?q=a'))).toEqual([200, 'text/markdown; charset=utf-8', '# Notes']);
  expect(await bodyOf(await get('/v1/chain?q=a'))).toEqual([200, 'application/json; charset=utf-8', '{"n":2}']);
});

test('a schema that is given is kept in place of the agent’s own', async () => {
  const agent = agentOf('counter', ['{"n":2}', '{"n":2,"m":3}'], { output: { format: 'json', schema } });
  const wider = encodeURIComponent(JSON.stringify({ type: 'object', required: ['m'] }));
  expect(await (await restApp([agent]).get(`/v1/counter?q=a&schema=${wider}`)).json()).toEqual({ n: 2, m: 3 });
});

test('with a POST both may stand in the address, in an object, or in a form', async () => {
  const asked = async (path: string, body: string, type: string) => {
    const response = await restApp([talker()]).post(path, body, type);
    return [response.headers.get('content-type'), await response.text()];
  };
  const json = ['application/json; charset=utf-8', '{"n":1}'];
  const form = 'application/x-www-form-urlencoded';
  expect(await asked(`/v1/talker?format=json&schema=${encoded}`, 'a', 'text/plain')).toEqual(json);
  const object = JSON.stringify({ text: 'a', format: 'json', schema });
  expect(await asked('/v1/talker', object, 'application/json')).toEqual(json);
  expect(await asked('/v1/talker', `q=a&format=json&schema=${encoded}`, form)).toEqual(json);
});

test.each([
  ['format=xml', 'format must be one of text, markdown, json.'],
  ['format=', 'format must be one of text, markdown, json.'],
  ['format=JSON', 'format must be one of text, markdown, json.'],
  ['format=json', 'format=json needs a schema: this agent has none of its own.'],
  [`format=text&schema=${encoded}`, 'A schema is for format=json, and the format is text.'],
  [`schema=${encoded}`, 'A schema is for format=json, and the format is text.'],
  ['format=json&schema=%7B', 'schema is not JSON: '],
  ['format=json&schema=%5B%5D', 'schema must be a JSON Schema, which is an object.'],
  ['format=json&schema=true', 'schema must be a JSON Schema, which is an object.'],
  ['format=json&schema=%7B%22type%22%3A%22number-ish%22%7D', 'schema is not a valid JSON Schema: '],
  ['format=json&schema=%7B%22%24ref%22%3A%22http%3A%2F%2Fx%2Fy%22%7D', 'schema is not a valid JSON Schema: '],
])('refused: %s', async (query, message) => {
  const agent = talker();
  const [status, code, said] = await refusalOf(await restApp([agent]).get(`/v1/talker?q=a&${query}`));
  expect([status, code, said.slice(0, message.length)]).toEqual([400, 'request-invalid', message]);
  expect((agent.model as ScriptedModel).requests).toEqual([]);
});

test('what is in the address and in the body is in one place too many', async () => {
  const body = JSON.stringify({ text: 'a', format: 'text' });
  const refused = await refusalOf(await restApp([talker()]).post('/v1/talker?format=text', body, 'application/json'));
  expect(refused).toEqual([400, 'request-invalid', 'format is in the address and in the body: send it once.']);
});

test('a report that does not keep its schema is never JSON, whatever it looks like', async () => {
  const stubborn = (more: Partial<Agent> = {}) =>
    agentOf('s', () => '{"n":"no"}', { output: { format: 'json', schema }, ...more });
  const failed = await restApp([stubborn()]).get('/v1/s?q=a');
  expect((await refusalOf(failed)).slice(0, 2)).toEqual([502, 'output-invalid']);
  for (const format of ['json', 'text']) {
    const partial = await restApp([stubborn({ limits: { maxTurns: 2 } })]).get(`/v1/s?q=a&format=${format}`);
    expect([partial.status, partial.headers.get('x-ai-agent-status')]).toEqual([200, 'partial']);
    expect(partial.headers.get('content-type')).toBe('application/vnd.ai-agent+json');
    const document = await partial.json();
    expect(document).toMatchObject({ status: 'partial', limit: 'maxTurns', text: '{"n":"no"}' });
    expect(document).not.toHaveProperty('report');
  }
});
