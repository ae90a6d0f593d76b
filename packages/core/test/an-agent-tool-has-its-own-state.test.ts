import { type AgentTool, AIAgentSession, agentTool, type ParentContext } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { agent, walk } from './support/walk.ts';

const call = (input: object) => ({ name: 'drafts', input: { reason: 'draft it', ...input } });

function leadWith(tool: Partial<AgentTool>, ...calls: object[]) {
  const drafts = agentTool({
    name: 'drafts',
    description: 'drafts a text',
    createSession: () => new AIAgentSession({ agent: agent('drafter', () => 'a draft') }),
    ...tool,
  });
  return agent('lead', [{ calls: calls.map(call) }, 'done'], { tools: [drafts] });
}

async function resultsOf(tool: Partial<AgentTool>, ...calls: object[]) {
  const { events, outcome } = await walk(leadWith(tool, ...calls));
  expect(outcome.status).toBe('completed');
  return events
    .filter((event) => event.type === 'tool-end' && event.trace.agentName === 'lead')
    .map((event) => (event.type === 'tool-end' ? event.result : undefined));
}

test('every call makes a session of its own, with state from its arguments', async () => {
  const states: string[][] = [];
  const createSession: AgentTool['createSession'] = ({ text }) => {
    const notes = [`notes on ${text}`];
    states.push(notes);
    const model = scriptedModel(() => `read ${notes.join()}`);
    return new AIAgentSession({ agent: { ...agent('drafter', []), model } });
  };
  const results = await resultsOf({ createSession }, { text: 'a' }, { text: 'b' });
  expect(results.map((result) => result?.text)).toEqual(['read notes on a', 'read notes on b']);
  expect(states).toHaveLength(2);
});

test('the parent it is shown is read-only ids, depth and a signal', async () => {
  let parent: ParentContext | undefined;
  await resultsOf(
    {
      createSession: (_, given) => {
        parent = given;
        return new AIAgentSession({ agent: agent('drafter', ['a draft']) });
      },
    },
    { text: 'a' },
  );
  expect(parent).toMatchObject({ originId: 's1', sessionId: 's1', agentName: 'lead', callPath: 'lead', depth: 0 });
  expect(parent?.signal.aborted).toBe(false);
  expect(Object.keys(parent ?? {}).sort()).toEqual([
    'agentName',
    'callPath',
    'depth',
    'originId',
    'sessionId',
    'signal',
  ]);
});

test('a result mapper decides what the caller’s model gets; the session stays on the record', async () => {
  const [result] = await resultsOf(
    { mapResult: ({ text, usage }) => ({ type: 'json', value: { text, calls: usage.modelCalls } }) },
    { text: 'a' },
  );
  expect(result).toMatchObject({
    status: 'ok',
    value: { text: 'a draft', calls: 1 },
    session: { id: 's1~1.1', agentName: 'drafter', status: 'completed' },
  });
});

test('a prompt of its own making', async () => {
  const drafter = agent('drafter', ['a draft']);
  await resultsOf(
    { createSession: () => new AIAgentSession({ agent: drafter }), toPrompt: ({ text }) => `Draft: ${text}` },
    { text: 'a' },
  );
  expect(JSON.stringify(drafter.model.requests[0]?.messages)).toContain('Draft: a');
});

test.each<[string, Partial<AgentTool>, string]>([
  ['createSession throws', { createSession: () => Promise.reject(new TypeError('no template')) }, 'no template'],
  ['mapResult throws', { mapResult: () => Promise.reject(new RangeError('cannot map')) }, 'cannot map'],
])('when %s, the call fails and the run goes on', async (_, tool, message) => {
  const [result] = await resultsOf(tool, { text: 'a' });
  expect(result).toMatchObject({ status: 'failed', failure: { class: 'tool', message } });
});

test('a session that was used already is a failed call, not a second run', async () => {
  const session = new AIAgentSession({ agent: agent('drafter', ['once', 'twice']) });
  const results = await resultsOf({ createSession: () => session }, { text: 'a' }, { text: 'b' });
  expect(results.map((result) => result?.status).sort()).toEqual(['failed', 'ok']);
});

test('a session cancelled by its own signal fails its call and spares the caller', async () => {
  const createSession = () => new AIAgentSession({ agent: agent('drafter', ['never']), signal: AbortSignal.abort() });
  const [result] = await resultsOf({ createSession }, { text: 'a' });
  expect(result).toMatchObject({ status: 'failed', failure: { class: 'cancelled' }, session: { status: 'cancelled' } });
});

test('its own listener hears its own subtree and nothing else', async () => {
  const heard = new Set<string>();
  const createSession = () =>
    new AIAgentSession({ agent: agent('drafter', ['a draft']), onEvent: (event) => heard.add(event.trace.selfId) });
  await resultsOf({ createSession }, { text: 'a' });
  expect([...heard]).toEqual(['s1~1.1']);
});

test('when the mapper throws, what the session used is still in the parent’s total', async () => {
  const { outcome } = await walk(
    leadWith({ mapResult: () => Promise.reject(new RangeError('cannot map')) }, { text: 'a' }),
  );
  expect(outcome.usage).toEqual(outcome.ledger.total);
  expect(outcome.usage.modelCalls).toBe(3);
});

test('arguments reach it without what is meant for us, and format is not offered: its contract is its own', async () => {
  const seen: object[] = [];
  const drafter = agent('drafter', () => 'a draft');
  const createSession: AgentTool['createSession'] = (args) => {
    seen.push(args);
    return new AIAgentSession({ agent: drafter });
  };
  const inputSchema = { type: 'object', properties: { format: { type: 'string' } } };
  await resultsOf({ createSession, inputSchema }, { format: 'A4' });
  expect(seen).toEqual([{ format: 'A4' }]);
  expect(JSON.stringify(drafter.model.requests[0]?.messages)).toContain('{\\"format\\":\\"A4\\"}');
  await resultsOf({ createSession, inputSchema: { type: 'array' } }, { input: [1] });
  expect(JSON.stringify(drafter.model.requests[1]?.messages)).toContain('"[1]"');
});
