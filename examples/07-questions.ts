// A sub-agent asks; its caller cannot know either and asks in turn; a person answers, and the very same sub-agent goes on.

import assert from 'node:assert/strict';
import { type Agent, ask, asTool, defineTool } from 'ai-agent';
import { scriptedModel } from 'ai-agent/testing';

// Models that do as written, so that the example shows the same every time.
const lastText = (messages: readonly unknown[]) => JSON.stringify(messages.at(-1));

const book = defineTool<{ city: string }>({
  name: 'book',
  description: 'Books a train',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  needsApproval: true,
  execute: ({ city }) => `booked: a train to ${city}`,
});

const clerk: Agent = {
  name: 'clerk',
  description: 'Books journeys',
  instructions: 'You book journeys.',
  ask: 'caller',
  tools: [book],
  model: scriptedModel(({ messages }) => {
    const last = lastText(messages);
    if (last.includes('booked')) return 'Your train is booked.';
    if (last.includes('did not approve')) return 'Nothing was booked.';
    if (last.includes('Vienna')) return { calls: [{ name: 'book', input: { city: 'Vienna' } }] };
    return { calls: [{ name: 'ask_user', input: { question: 'Where to?', choices: ['Vienna', 'Prague'] } }] };
  }),
};

const lead: Agent = {
  name: 'lead',
  instructions: 'You plan journeys with your clerk.',
  ask: 'caller',
  tools: [asTool(clerk)],
  model: scriptedModel(({ messages }) => {
    const last = lastText(messages);
    const handle = /resume\W+([\w~.-]+)/.exec(JSON.stringify(messages))?.[1];
    if (last.includes('is booked')) return 'All set: your train is booked.';
    if (last.includes('Nothing was booked')) return 'As you wish: nothing was booked.';
    if (last.includes('It asks before it goes on'))
      return { calls: [{ name: 'ask_user', input: { question: 'Where do you want to go?' } }] };
    if (last.includes('Vienna'))
      return { calls: [{ name: 'clerk', input: { reason: 'the answer', resume: handle, answer: 'Vienna' } }] };
    return { calls: [{ name: 'clerk', input: { reason: 'book it', text: 'a journey for tomorrow' } }] };
  }),
};

const first = await ask(lead, 'I want to travel tomorrow.');
assert.equal(first.status, 'needs_user_input');
console.log(`lead asks: ${first.question.text}`);

// The answer is the prompt of a new session, in this process or later. Approvals reach the person at once, past every model.
const second = await ask(lead, 'Vienna', {
  resume: first.resume,
  onQuestion: ({ agentName, text }) => {
    console.log(`${agentName} asks: ${text}`);
    return 'yes';
  },
});
console.log(`${second.status}: ${second.text}`);

assert.equal(second.status, 'completed');
assert.equal(second.text, 'All set: your train is booked.');
assert.ok(JSON.stringify(second.conversations).includes('a journey for tomorrow'), 'the clerk kept its history');
