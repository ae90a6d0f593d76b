// AgentTool: you make the session for each call, give it state of its own, and decide what its caller gets back.

import assert from 'node:assert/strict';
import { AIAgentSession, agentTool, ask, defineTool } from 'ai-agent';
import { scriptedModel } from 'ai-agent/testing';

const archive: Record<string, string[]> = { north: ['snow', 'wind'], south: ['sun'] };

const weather = agentTool({
  name: 'weather',
  description: 'Reports the weather of one region from its archive',
  inputSchema: { type: 'object', properties: { region: { enum: ['north', 'south'] } }, required: ['region'] },
  createSession({ region }, parent) {
    // State of this call alone: the next call gets a notebook of its own.
    const notebook = [...(archive[String(region)] ?? [])];
    const read = defineTool({
      name: 'read',
      description: 'Reads the notebook',
      inputSchema: { type: 'object' },
      execute: () => notebook.splice(0).join(', '),
    });
    const model = scriptedModel((request) => {
      const last = request.messages.at(-1);
      return last?.role === 'tool' ? `Seen: ${last.content[0]?.text}.` : { calls: [{ name: 'read' }] };
    });
    return new AIAgentSession({
      agent: { name: 'observer', model, tools: [read], instructions: `You observe for ${parent.agentName}.` },
    });
  },
  mapResult: ({ text, usage }) => ({ type: 'json', value: { report: text, calls: usage.modelCalls } }),
});

const model = scriptedModel([
  { calls: ['north', 'south'].map((region) => ({ name: 'weather', input: { region, reason: `the ${region}` } })) },
  'North: snow and wind. South: sun.',
]);

const outcome = await ask(
  { name: 'forecaster', model, instructions: 'You report the weather.', tools: [weather] },
  'How is it outside?',
);

console.log(outcome.text);
assert.equal(outcome.status, 'completed');
const results = outcome.conversations[outcome.sessionId]?.find((message) => message.role === 'tool');
assert.deepEqual(
  results?.content.map((part) => 'text' in part && part.text),
  ['{"report":"Seen: snow, wind.","calls":2}', '{"report":"Seen: sun.","calls":2}'],
);
assert.equal(outcome.ledger.byName.observer?.modelCalls, 4);
