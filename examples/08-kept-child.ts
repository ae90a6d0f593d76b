// A child that is kept goes on with its own conversation, call after call, for as long as its parent's session lives.

import assert from 'node:assert/strict';
import { type Agent, ask, asTool } from 'ai-agent';
import { scriptedModel } from 'ai-agent/testing';

const counter: Agent = {
  name: 'counter',
  description: 'Remembers what it was told',
  instructions: 'You say what you were told so far.',
  hold: 'kept',
  model: scriptedModel(({ messages }) => {
    const told = messages.flatMap((message) => (message.role === 'user' ? message.content : []));
    return `told so far: ${told.map((part) => (part.type === 'text' ? part.text : '')).join(', ')}`;
  }),
};

const tell = (text: string) => ({ name: 'counter', input: { reason: `tell ${text}`, text } });

const lead: Agent = {
  name: 'lead',
  instructions: 'You tell your counter things.',
  tools: [asTool(counter)],
  // Two calls in one turn: a kept child takes them one after the other.
  model: scriptedModel([{ calls: [tell('apples'), tell('pears')] }, { calls: [tell('plums')] }, 'done']),
};

const outcome = await ask(lead, 'go');
const said = Object.values(outcome.conversations)
  .map((messages) => messages.at(-1))
  .flatMap((message) => (message?.role === 'assistant' ? message.content : []))
  .flatMap((part) => (part.type === 'text' ? [part.text] : []));
console.log(said.join('\n'));

assert.deepEqual(said.slice(1), [
  'told so far: apples',
  'told so far: apples, pears',
  'told so far: apples, pears, plums',
]);
