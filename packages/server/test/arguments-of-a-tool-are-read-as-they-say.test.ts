// The promise: what is asked is read from the arguments of a tool as REST reads it from a body, and what is wrong with them is said before anything starts.

import type { Agent } from '@ai-agent/core';
import type { ScriptedModel } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { anybody } from '../src/index.ts';
import { listSessions } from '../src/own-sessions.ts';
import { agentOf } from './contract/people.ts';
import { mcpApp } from './support/mcp-app.ts';
import { revisions, toolHouse } from './support/person-at-client.ts';

const [revision] = revisions;

const echo = () =>
  agentOf('echo', ({ messages }) => {
    const [first] = messages;
    return first?.role === 'user' ? first.content.map((part) => ('text' in part ? part.text : '')).join('') : '';
  });

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const forms: Readonly<Record<string, Partial<Agent>>> = {
  text: {},
  object: { input: { format: 'json', schema } },
  list: { input: { format: 'json', schema: { type: 'array', items: { type: 'integer' } } } },
  any: { input: { format: 'json' } },
  cv: {
    input: {
      format: 'json',
      schema: { type: 'object', properties: { resume: { type: 'string' }, answer: { type: 'string' } } },
    },
  },
};

async function ask(form: string, args: Record<string, unknown>) {
  const agent = { ...echo(), ...forms[form] };
  const house = toolHouse(revision, [agent]);
  const called = await (await house.connect()).call('echo', args);
  return { called, begun: (await listSessions(house.hall, anybody, { limit: 10 })).heads.length };
}

describe('it is asked', () => {
  test.each<[string, string, Record<string, unknown>, string]>([
    ['as text', 'text', { text: 'Hello.' }, 'Hello.'],
    ['as prompt', 'text', { prompt: 'Hello.' }, 'Hello.'],
    ['as both, when they are the same', 'text', { text: 'Hello.', prompt: 'Hello.' }, 'Hello.'],
    ['as data', 'text', { json: { a: [1] } }, '{"a":[1]}'],
    ['as whatever there is', 'text', { city: 'Athens' }, '{"city":"Athens"}'],
    ['in a form', 'text', { text: 'Hello.', format: 'markdown' }, 'Hello.'],
    ['as an object', 'object', { city: 'Athens' }, '{"city":"Athens"}'],
    ['as an object in a form', 'object', { city: 'Athens', format: 'markdown' }, '{"city":"Athens"}'],
    ['as a list', 'list', { input: [1, 2] }, '[1,2]'],
    ['as anything', 'any', { json: 'Athens' }, '"Athens"'],
    ['with names of ours', 'cv', { input: { resume: 'a', answer: 'b' } }, '{"resume":"a","answer":"b"}'],
  ])('%s', async (_what, form, args, prompt) => {
    const { called } = await ask(form, args);
    expect([called.texts, called.isError]).toEqual([[prompt], false]);
  });
});

test('words have the date and the like filled in, and data stays as it is', async () => {
  const fillPrompt = (text: string) => text.replace('NOW', 'noon');
  const app = mcpApp([
    { name: 'words', agent: echo(), fillPrompt },
    { name: 'data', agent: { ...echo(), ...forms.object }, fillPrompt },
  ]);
  const client = await app.older();
  const ask = async (name: string, args: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: args })).content;
  expect(await ask('words', { text: 'At NOW?' })).toEqual([{ type: 'text', text: 'At noon?' }]);
  expect(await ask('data', { city: 'NOW' })).toEqual([{ type: 'text', text: '{"city":"NOW"}' }]);
});

describe('it is refused', () => {
  test.each<[string, string, Record<string, unknown>, string]>([
    ['nothing', 'text', {}, 'text is missing or empty: it is what you ask.'],
    ['empty text', 'text', { text: ' \n' }, 'text is missing or empty: it is what you ask.'],
    ['text that is none', 'text', { text: 7 }, 'text must be text: it is what you ask.'],
    ['text and null', 'text', { text: null }, 'text must be text: it is what you ask.'],
    ['text and another prompt', 'text', { text: 'a', prompt: 'b' }, 'text and prompt are the same: send one of them.'],
    ['text and data', 'text', { text: 'a', json: {} }, 'text and json are the same: send one of them.'],
    [
      'a wish that nobody hears',
      'text',
      { text: 'a', formt: 'json' },
      'formt is not known here; known are text, format, schema, resume, answer. Did you mean format?',
    ],
    [
      'JSON without a schema',
      'text',
      { text: 'a', format: 'json' },
      'format=json needs a schema: this agent has none of its own.',
    ],
    ['a format that is none', 'text', { text: 'a', format: 'pdf' }, 'format must be one of text, markdown, json.'],
    ['a schema that is none', 'text', { text: 'a', format: 'json', schema: { type: 7 } }, 'schema'],
    ['half an answer', 'text', { resume: 's1' }, 'resume comes without text, and without answer.'],
    ['the other half', 'text', { answer: 'a' }, 'answer comes without resume.'],
    ['a handle that is none', 'text', { resume: 1, answer: 'a' }, 'resume must be text.'],
    ['an object that does not fit', 'object', { city: 7 }, 'The input of echo does not fit: '],
    ['words for an object', 'object', { text: 'Athens' }, 'The input of echo does not fit: '],
    ['nothing for a list', 'list', {}, 'input is missing: it is what you ask.'],
    ['a list that does not fit', 'list', { input: ['a'] }, 'The input of echo does not fit: '],
    ['nothing for anything', 'any', { text: 'Athens' }, 'json is missing: it is what you ask.'],
  ])('%s', async (_what, form, args, message) => {
    const code = message.startsWith('The input of') ? 'session-input-invalid' : 'request-invalid';
    const { called, begun } = await ask(form, args);
    expect([called.isError, begun]).toEqual([true, 0]);
    expect(called.outcome).toMatchObject({ status: 'failed', failure: { class: 'usage', code } });
    expect(called.outcome.failure?.message).toContain(message);
    expect(called.outcome.failure?.remedy).not.toBe('');
    expect(called.texts[0]).toContain(called.outcome.failure?.message);
  });

  test('a schema for an agent that has one', async () => {
    const agent = { ...echo(), output: { format: 'json', schema } } as const;
    const client = await toolHouse(revision, [agent]).connect();
    const called = await client.call('echo', { text: 'a', schema: { type: 'object' } });
    expect([called.isError, (agent.model as ScriptedModel).requests.length]).toEqual([true, 0]);
    expect(called.outcome.failure?.code).toBe('request-invalid');
  });
});
