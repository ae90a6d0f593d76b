// The promise: what an agent asks is put to the person at the client, whoever in the tree asks, and the run goes on with the answer under one id.

import { type Agent, defineTool, type Json } from '@ai-agent/core';
import type { ScriptedModel } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { anybody } from '../src/index.ts';
import { listSessions } from '../src/own-sessions.ts';
import { agentOf, call, lastResult, leadOf } from './contract/people.ts';
import { revisions, toolHouse } from './support/person-at-client.ts';

/** Asks each of these in turn, and then says what it was told last. */
function curious(questions: readonly Json[], more: Partial<Agent> = {}): Agent {
  return agentOf(
    'curious',
    (request) => {
      const told = request.messages.filter(({ role }) => role === 'tool').length;
      const next = questions[told];
      return next ? { calls: [{ name: 'ask_user', input: next as object }] } : `Told: ${lastResult(request)}`;
    },
    { ask: 'person', ...more },
  );
}

const year = { question: 'Which year?' };

describe.each(revisions)('in revision %s', (revision) => {
  test('the form says who asks, and the run goes on with the answer', async () => {
    const agent = curious([year]);
    const client = await toolHouse(revision, [agent]).connect({
      person: () => ({ action: 'accept', content: { answer: '1999' } }),
    });
    const { texts, outcome, isError } = await client.call('curious', { text: 'Go.' });
    expect([texts, outcome.status, isError]).toEqual([['Told: 1999'], 'completed', false]);
    expect(client.shown).toMatchObject([
      {
        message: 'curious asks: Which year?',
        requestedSchema: { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] },
      },
    ]);
    expect((agent.model as ScriptedModel).requests).toHaveLength(2);
  });

  test('one question after the other is one session', async () => {
    const agent = curious([year, { question: 'Which month?', choices: ['May', 'June'] }, { question: 'Which day?' }]);
    const answers = ['1999', 'May', '31'];
    const house = toolHouse(revision, [agent]);
    const client = await house.connect({
      person: () => ({ action: 'accept', content: { answer: answers.shift() ?? '' } }),
    });
    const { texts, outcome } = await client.call('curious', { text: 'Go.' });
    expect(texts).toEqual(['Told: 31']);
    expect(client.shown.map(({ message }) => message)).toEqual([
      'curious asks: Which year?',
      'curious asks: Which month?',
      'curious asks: Which day?',
    ]);
    expect(client.shown[1]?.requestedSchema.properties.answer).toMatchObject({ type: 'string', enum: ['May', 'June'] });
    const { heads: sessions } = await listSessions(house.hall, anybody, { limit: 10 });
    expect(sessions).toMatchObject([{ id: outcome.sessionId, status: 'completed', resumptions: 3 }]);
  });

  test.each([1, 2])('a question %i below reaches the person, and names who asks', async (depth) => {
    const child = curious([year]);
    const lead = leadOf('lead', depth === 1 ? child : leadOf('middle', child));
    const client = await toolHouse(revision, [lead]).connect({
      person: () => ({ action: 'accept', content: { answer: '1999' } }),
    });
    const { texts } = await client.call('lead', { text: 'Go.' });
    expect(texts[0]).toContain('Told: 1999');
    expect(client.shown.map(({ message }) => message)).toEqual(['curious asks: Which year?']);
    expect((child.model as ScriptedModel).requests).toHaveLength(2);
  });

  test('a question for whoever calls is answered above, and no person is asked', async () => {
    const child = curious([year], { ask: 'caller' });
    const lead = agentOf(
      'lead',
      (request) => {
        const said = lastResult(request);
        if (said === undefined) return call('curious', { text: 'go' });
        const [, resume] = /"resume": "([^"]+)"/.exec(said) ?? [];
        return resume === undefined ? said : call('curious', { resume, answer: '2024' });
      },
      { tools: leadOf('any', child).tools ?? [] },
    );
    const client = await toolHouse(revision, [lead]).connect({ person: () => ({ action: 'decline' }) });
    const { texts } = await client.call('lead', { text: 'Go.' });
    expect(texts[0]).toContain('Told: 2024');
    expect(client.shown).toEqual([]);
  });

  test('a person grants a call or refuses it, and sees all of it before', async () => {
    const deleted: unknown[] = [];
    const tool = defineTool({
      name: 'delete_file',
      description: 'deletes',
      inputSchema: { type: 'object' },
      needsApproval: true,
      execute: (args) => {
        deleted.push(args);
        return 'gone';
      },
    });
    const args = { path: `${'x'.repeat(6_000)}/y` };
    const agent = agentOf('cleaner', (request) => lastResult(request) ?? call('delete_file', args), { tools: [tool] });
    const replies = [{ approved: true }, { approved: false, reason: 'I need it.' }];
    const client = await toolHouse(revision, [agent]).connect({
      person: () => ({ action: 'accept', content: replies.shift() ?? {} }),
    });
    expect((await client.call('cleaner', { text: 'Go.' })).texts).toEqual(['gone']);
    expect((await client.call('cleaner', { text: 'Go.' })).texts[0]).toContain('I need it.');
    expect(deleted).toHaveLength(1);
    const [shown] = client.shown;
    expect(shown?.message).toContain('delete_file');
    expect(shown?.message).toContain(args.path);
    expect(shown?.requestedSchema).toMatchObject({
      properties: { approved: { type: 'boolean' }, reason: { type: 'string' } },
      required: ['approved'],
    });
    const withoutForms = await toolHouse(revision, [agent]).connect();
    expect((await withoutForms.call('cleaner', { text: 'Go.' })).texts[0]).toContain(args.path);
  });

  test('what fits a form is answered field by field, and what fits none as JSON', async () => {
    const flat = {
      type: 'object',
      properties: { name: { type: 'string' }, age: { type: 'integer' } },
      required: ['age'],
    };
    const deep = { type: 'object', properties: { tags: { type: 'array', items: { type: 'integer' } } } };
    const agent = curious([
      { question: 'Who?', schema: flat },
      { question: 'Which?', schema: deep },
    ]);
    const contents = [{ name: '', age: 7 }, { answer: '{"tags":[1,2]}' }];
    const client = await toolHouse(revision, [agent]).connect({
      person: () => ({ action: 'accept', content: contents.shift() as Record<string, string | number> }),
    });
    expect((await client.call('curious', { text: 'Go.' })).texts).toEqual(['Told: {"tags":[1,2]}']);
    const last = (agent.model as ScriptedModel).requests.at(-1)?.messages.filter(({ role }) => role === 'tool');
    expect(JSON.stringify(last)).toContain(JSON.stringify('{"age":7}').slice(1, -1));
    expect(client.shown[1]?.message).toContain(JSON.stringify(deep));
  });
});
