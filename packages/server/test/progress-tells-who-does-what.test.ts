// The promise: whoever asks for progress is told in words who does what, each with a larger number, and nothing after the result.

import { asTool, defineTool, type ToolOffer } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { agentOf, call, lastResult, lookUp } from './contract/people.ts';
import { gate, hallOf } from './support/house.ts';
import { listeners, type Note } from './support/mcp-listeners.ts';

const broken = defineTool({
  name: 'break_down',
  description: 'never works',
  inputSchema: { type: 'object' },
  execute: () => {
    throw new Error('It has no wheels.');
  },
});

function leadOfTwo() {
  const researcher = agentOf('researcher', (request) => (lastResult(request) ? 'found' : call('look_up', {})), {
    tools: [lookUp],
  });
  const steps = [
    {
      calls: ['ships', 'cars'].map((text) => ({ name: 'researcher', input: { reason: `about ${text}`, text } })),
    },
    call('break_down', {}),
    'All done.',
  ];
  return agentOf('lead', (_request, count) => steps[count - 1] ?? '', {
    tools: [asTool(researcher) as ToolOffer, broken],
  });
}

test.each(listeners)('%s', async (_name, connect, over) => {
  const listener = await connect(hallOf([leadOfTwo()]), over);
  const notes: Note[] = [];
  const result = await listener.call('lead', { onprogress: (note) => void notes.push(note) });
  expect(result.content).toMatchObject([{ type: 'text', text: 'All done.' }]);
  const told = notes.length;
  expect(notes.map(({ progress }) => progress)).toEqual(notes.map((_note, index) => index + 1));
  expect(notes.every(({ total }) => total === undefined)).toBe(true);
  const words = notes.map(({ message }) => message);
  expect(words[0]).toBe('lead begins');
  expect(words).toContain('lead calls researcher[1]: about ships');
  expect(words).toContain('researcher[2] begins: about cars');
  expect(words).toContain('researcher[1] calls look_up');
  expect(words).toContain('researcher[2] has ended');
  expect(words.at(-1)).toBe('break_down of lead failed: It has no wheels.');
  await new Promise((resolve) => setImmediate(resolve));
  expect(notes.length).toBe(told);
});

test.each(listeners)('who waits for a place is told so: %s', async (_name, connect, over) => {
  const held = gate();
  const slow = agentOf('slow', () => ({ text: 'ok', until: held.opened }));
  const hall = hallOf([slow], { places: { mcp: { running: 1 } } });
  const listener = await connect(hall, over);
  const first = listener.call('slow');
  await expect.poll(() => hall.placesOf('mcp').running).toBe(1);
  const notes: Note[] = [];
  const second = listener.call('slow', { onprogress: (note) => void notes.push(note) });
  await expect.poll(() => notes.map(({ message }) => message)).toEqual(['slow waits for a place']);
  held.open();
  await Promise.all([first, second]);
  expect(notes.map(({ message }) => message)).toEqual(['slow waits for a place', 'slow begins']);
});

test.each(listeners)(
  'who has asked is told of with its answer, not as asking again: %s',
  async (_name, connect, over) => {
    const asking = { calls: [{ name: 'ask_user', input: { question: 'Which year?' } }] };
    const curious = agentOf('curious', (request) => (lastResult(request) ? 'Thanks.' : asking), {
      ask: 'caller',
    });
    const listener = await connect(hallOf([curious]), over);
    const words: (string | undefined)[] = [];
    const onprogress = ({ message }: Note) => void words.push(message);
    const { _meta: meta } = await listener.call('curious', { onprogress });
    expect(words.splice(0)).toEqual(['curious begins', 'curious asks: Which year?']);
    const { resume } = (meta as Record<string, { readonly resume: string }>)['ai-agent/outcome'] ?? {};
    await listener.call('curious', { onprogress, args: { resume, answer: '1999' } });
    expect(words).toEqual(['curious begins', 'curious has its answer']);
  },
);
