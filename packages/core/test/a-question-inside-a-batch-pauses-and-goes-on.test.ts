// The promise: a batch with a question in it waits as a whole, goes on where it was, and does nothing twice.

import {
  type Agent,
  asTool,
  conversationsOf,
  defineTool,
  inProcess,
  journaled,
  MemoryJournal,
  MemoryPauses,
} from '@ai-agent/core';
import { FakeClock, fakePorts, scriptedModel, strict } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { nextTick, walk } from './support/walk.ts';

type Request = Parameters<ReturnType<typeof scriptedModel>['call']>[0];

const resultsOf = ({ messages }: Request) => {
  const last = messages.at(-1);
  return last?.role === 'tool' ? last.content : [];
};

const item = (id: string, tool: string, parameters: object = {}) => ({ id, tool, parameters });

/** A lead that sends a call, a batch in whose middle somebody is asked, and another call. */
function plant(asking: Agent, askingItem: object) {
  const performed: string[] = [];
  const note = defineTool<{ word: string }>({
    name: 'note',
    inputSchema: { type: 'object', properties: { word: { type: 'string' } } },
    execute: ({ word }) => {
      performed.push(word);
      return `noted ${word}`;
    },
  });
  const drop = defineTool({
    name: 'drop',
    inputSchema: { type: 'object' },
    needsApproval: true,
    execute: () => {
      performed.push('drop');
      return 'dropped';
    },
  });
  const calls = [item('one', 'note', { word: 'one' }), askingItem, item('two', 'note', { word: 'two' })];
  const model = scriptedModel((request) => {
    const results = resultsOf(request);
    if (results.length > 0) return results.map(({ id, text }) => `${id}: ${text}`).join('\n');
    return {
      calls: [
        { name: 'note', id: 'x', input: { word: 'before' } },
        { name: 'agent__batch', id: 'b', input: { calls } },
        { name: 'note', id: 'y', input: { word: 'after' } },
      ],
    };
  });
  const tools = [note, drop, asTool(asking)];
  const lead: Agent = { name: 'lead', instructions: 'i', batch: true, tools, model };
  return { lead, performed };
}

/** It asks a person, and says what it heard. */
const careful = (): Agent => ({
  name: 'careful',
  description: 'd',
  instructions: 'i',
  ask: 'person',
  model: scriptedModel((request) => {
    const [result] = resultsOf(request);
    return result ? `heard ${result.text}` : { calls: [{ name: 'ask_user', input: { question: 'Which?' } }] };
  }),
});

const kinds = {
  'its own question': item('q', 'ask_user', { question: 'Which?' }),
  'leave for a tool': item('q', 'drop'),
  'a session below': item('q', 'careful', { text: 'go', reason: 'r' }),
} as const;

const outputs = { 'its own question': 'blue', 'leave for a tool': 'dropped', 'a session below': 'heard blue' } as const;
const answers = { 'its own question': 'blue', 'leave for a tool': 'yes', 'a session below': 'blue' } as const;

function storage() {
  return { journal: new MemoryJournal(), pauses: new MemoryPauses() };
}

async function runOnce(kind: keyof typeof kinds, stores: ReturnType<typeof storage>, options: object, prompt = 'go') {
  const { lead, performed } = plant(careful(), kinds[kind]);
  const runtime = strict(journaled(inProcess, stores.journal), { nextTick });
  const ports = fakePorts({ clock: new FakeClock(), pauses: stores.pauses });
  const { outcome, events } = await walk(lead, prompt, { runtime, ports, ...options });
  return { outcome, events, performed };
}

/** The text with which the lead ends: a line per result that it read. */
function expectWhole(text: string, kind: keyof typeof kinds) {
  const [before = '', batch = '', after = ''] = text.split('\n');
  expect([before, after]).toEqual(['x: noted before', 'y: noted after']);
  const { results } = JSON.parse(batch.slice('b: '.length)) as { results: { id: string; output: string }[] };
  expect(results.map(({ id, output }) => [id, output])).toEqual([
    ['one', 'noted one'],
    ['q', outputs[kind]],
    ['two', 'noted two'],
  ]);
}

const all = Object.keys(kinds) as (keyof typeof kinds)[];

describe.each(all)('%s', (kind) => {
  test('is answered while somebody is there', async () => {
    const onQuestion = ({ type }: { type: string }) => (type === 'approval' ? true : 'blue');
    const { outcome, events, performed } = await runOnce(kind, storage(), { onQuestion });
    expect(outcome.status).toBe('completed');
    expectWhole(outcome.text, kind);
    expect(performed.filter((word) => word !== 'drop')).toEqual(['before', 'one', 'two', 'after']);
    expect(conversationsOf(events)).toEqual(outcome.conversations);
  });

  test('ends the run when nobody is, and the answer goes on with the same batch', async () => {
    const stores = storage();
    const first = await runOnce(kind, stores, { sessionId: 'a' });
    expect(first.outcome.status).toBe('needs_user_input');
    const resume = first.outcome.status === 'needs_user_input' ? first.outcome.resume : '';
    // Nothing of a batch that is not whole is in the conversation.
    const last = first.outcome.conversations.a?.at(-1);
    const ids = last?.role === 'tool' ? last.content.map(({ id }) => id) : [];
    expect(ids).not.toContain('b');
    const second = await runOnce(kind, stores, { sessionId: 'b', resume }, answers[kind]);
    expect(second.outcome.status).toBe('completed');
    expectWhole(second.outcome.text, kind);
    const words = [...first.performed, ...second.performed];
    expect(words.filter((word) => word !== 'drop').sort()).toEqual(['after', 'before', 'one', 'two']);
    const conversation = second.outcome.conversations.b ?? [];
    const read = conversation.find(({ role }) => role === 'tool');
    expect(read?.role === 'tool' && read.content.map(({ id }) => id)).toEqual(['x', 'b', 'y']);
    expect(conversationsOf(second.events).b).toEqual(conversation);
  });

  test('replays to the same end from any operation on, and does nothing twice', async () => {
    const stores = storage();
    const onQuestion = ({ type }: { type: string }) => (type === 'approval' ? true : 'blue');
    const whole = await runOnce(kind, stores, { sessionId: 'run', onQuestion });
    const size = stores.journal.entries.size;
    expect(size).toBeGreaterThan(6);
    for (let count = 0; count <= size; count++) {
      const journal = new MemoryJournal([...stores.journal.entries].slice(0, count));
      const again = await runOnce(kind, { ...storage(), journal }, { sessionId: 'run', onQuestion });
      expect([count, again.outcome.text]).toEqual([count, whole.outcome.text]);
      if (count === size) expect(again.performed).toEqual([]);
      expect(JSON.stringify(conversationsOf(again.events))).toBe(JSON.stringify(again.outcome.conversations));
    }
  });
});
