// Agents are tools for every client of the Model Context Protocol: this one is that of the official SDK. It hears what goes on, and a
// person at it is asked what the agent wants to know.

import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
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
  instructions: 'You plan a day out. Ask what you have to know.',
  ask: 'person',
  tools: [asTool(timetable)],
  // It looks something up, asks, and then says what it makes of both.
  model: scriptedModel(({ messages }, turn) => {
    const last = messages.at(-1);
    const question = { question: 'Where do you want to go?', choices: ['Islands', 'Fjord'] };
    if (turn === 1) return { calls: [{ name: 'timetable', input: { reason: 'the way back', text: 'When?' } }] };
    if (turn === 2) return { calls: [{ name: 'ask_user', input: question }] };
    return `${last?.role === 'tool' ? last.content[0]?.text : 'Nowhere'}, and back at nine.`;
  }),
};
const served = await serveAgents({ agents: [guide], port: 0 });

// It says that it can show forms. In either revision of the protocol the answer to one goes on with the run.
const client = new Client(
  { name: 'example', version: '1.0.0' },
  { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'auto' } },
);
const asked: string[] = [];
client.setRequestHandler('elicitation/create', ({ params }) => {
  asked.push(params.message);
  return { action: 'accept', content: { answer: 'Islands' } };
});
await client.connect(new StreamableHTTPClientTransport(new URL(`${served.url}/mcp`)));

const { tools } = await client.listTools();
assert.deepEqual(
  tools.map(({ name, description }) => `${name}: ${description}`),
  ['guide: Plans a day out'],
);

// A run may take minutes: as long as it tells what it does, nobody gives up.
const told: string[] = [];
const result = await client.callTool(
  { name: 'guide', arguments: { text: 'A day out, please.' } },
  { onprogress: ({ message = '' }) => void told.push(message), resetTimeoutOnProgress: true },
);
assert.deepEqual(result.content, [{ type: 'text', text: 'Islands, and back at nine.' }]);
assert.deepEqual(asked, ['guide asks: Where do you want to go?']);
assert.ok(told.includes('timetable begins: the way back'), told.join('\n'));
assert.ok(told.indexOf('guide has its answer') > told.indexOf('guide asks: Where do you want to go?'), told.join('\n'));

// For programs: how it ended, and what it used.
const outcome = result._meta?.['ai-agent/outcome'] as { status: string; sessionId: string };
assert.equal(outcome.status, 'completed');
const { contents } = await client.readResource({ uri: `ai-agent://sessions/${outcome.sessionId}` });
assert.equal((contents[0] as { text: string }).text, 'Islands, and back at nine.');
console.log(`${told.join('\n')}\n${outcome.status}`);

await client.close();
await served.stop();
