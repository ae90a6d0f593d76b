// Agents are models for every client of OpenAI's and Anthropic's APIs. Here is what goes over the wire, by plain requests: the client has a
// tool of its own, the agent a sub-agent, and what comes back from the client goes on with the very session.

import assert from 'node:assert/strict';
import { type Agent, asTool } from 'ai-agent';
import { serveAgents } from 'ai-agent/server';
import { scriptedModel } from 'ai-agent/testing';

const timetable: Agent = {
  name: 'timetable',
  description: 'Knows when ferries leave',
  instructions: 'You know the timetable.',
  model: scriptedModel(() => 'The last ferry back leaves at nine.'),
};
const guide: Agent = {
  name: 'guide',
  description: 'Plans a day out',
  instructions: 'You plan a day out.',
  tools: [asTool(timetable)],
  // It looks something up here, has the client look for something else, and says what it makes of both.
  model: scriptedModel(({ messages, tools }, turn) => {
    assert.ok(tools.some(({ name }) => name === 'weather'));
    if (turn === 1) return { calls: [{ name: 'timetable', input: { reason: 'the way back', text: 'When?' } }] };
    if (turn === 2) return { calls: [{ name: 'weather', input: { place: 'Islands' } }] };
    const results = messages.flatMap((message) => (message.role === 'tool' ? message.content : []));
    return `To the islands, ${results.at(-1)?.text}. ${results[0]?.text.match(/The last ferry.*\./)?.[0]}`;
  }),
};
const served = await serveAgents({ agents: [guide, timetable], port: 0 });

interface Call {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

interface Completion {
  readonly choices: readonly {
    readonly finish_reason: string;
    readonly message: {
      readonly role: 'assistant';
      readonly content: string | null;
      readonly tool_calls?: readonly Call[];
    };
  }[];
  readonly usage: { readonly prompt_tokens: number };
  /** What the API has no field for. */
  readonly ai_agent: {
    readonly session_id: string;
    readonly status: string;
    readonly usage: { readonly modelCalls: number };
  };
}

const weather = {
  name: 'weather',
  description: 'What the weather will be',
  parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
};

/** The conversation up to now: the client keeps it, and sends all of it each time. */
const messages: object[] = [{ role: 'user', content: 'A day out, please.' }];

async function complete(): Promise<Completion> {
  const response = await fetch(`${served.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer any' },
    body: JSON.stringify({ model: 'guide', messages, tools: [{ type: 'function', function: weather }] }),
  });
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as Completion;
}

const { data } = (await (await fetch(`${served.url}/v1/models`)).json()) as { data: { id: string }[] };
assert.deepEqual(
  data.map(({ id }) => id),
  ['guide', 'timetable'],
);

// The call of the sub-agent was run there. The one of the client ends the reply.
const first = await complete();
const [asked] = first.choices;
const call = asked?.message.tool_calls?.[0];
assert.ok(asked && call);
assert.deepEqual([asked.finish_reason, first.ai_agent.status], ['tool_calls', 'needs_client_tools']);
assert.deepEqual([call.function.name, JSON.parse(call.function.arguments)], ['weather', { place: 'Islands' }]);

// Its result, behind the message that has the call, goes on with the session that waits for it.
messages.push(asked.message, { role: 'tool', tool_call_id: call.id, content: 'in the sun' });
const last = await complete();
const { finish_reason: reason, message } = last.choices[0] ?? {};
assert.deepEqual([reason, last.ai_agent.status], ['stop', 'completed']);
assert.equal(message?.content, 'To the islands, in the sun. The last ferry back leaves at nine.');
assert.equal(last.ai_agent.session_id, first.ai_agent.session_id);

// With tools of its own a client counts by the last call of the model; what all of it used is beside that.
assert.equal(last.usage.prompt_tokens, 10);
assert.equal(last.ai_agent.usage.modelCalls, 4);
console.log(`${message?.content}\n${last.ai_agent.status}, after ${last.ai_agent.usage.modelCalls} calls of models`);

await served.stop();
