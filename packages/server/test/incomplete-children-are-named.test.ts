// A run that completes although a child failed, was cut off or was refused names that child in every API; visitors of a page learn
// only that something is missing.

import { type Agent, asTool, MemoryPauses, type ModelRequest, type ToolOffer } from '@ai-agent/core';
import { fakePorts, type Step, scriptedModel } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { MemorySessions } from '../src/index.ts';
import { agentOf, call, lastResult, lookUp } from './contract/people.ts';
import { anthropicApp } from './support/anthropic-app.ts';
import { dataOf, embedApp } from './support/embed-app.ts';
import { as, governed } from './support/governed.ts';
import { gate, hallOf, openHouse } from './support/house.ts';
import { mcpApp } from './support/mcp-app.ts';
import { ask, openaiApp } from './support/openai-app.ts';
import { responsesApp } from './support/responses-app.ts';
import { restApp } from './support/rest-app.ts';
import { parseEvents, type ReadEvent } from './support/sse-events.ts';

const once = { maxRetries: 1 };
const inside = 'Cannot read /srv/house/keys.json';

/** Calls each of these once, and answers without caring what came of it. */
function leadOf(children: readonly Agent[], more: Partial<Agent> = {}): Agent {
  const calls = children.map(({ name }) => ({ name, input: { reason: `Asks ${name}`, text: 'go' } }));
  return agentOf('lead', (request) => (lastResult(request) ? 'The answer.' : { calls }), {
    tools: children.map((child) => asTool(child) as ToolOffer),
    ...more,
  });
}

const broken = () =>
  agentOf('broken', () => ({ fail: { code: 'model-auth', message: inside, status: 401 } }), { limits: once });

const cutOff = () =>
  agentOf('cut', ({ tools }) => (tools.length > 0 ? call('look_up', {}) : 'So far.'), {
    tools: [lookUp],
    limits: { maxTurns: 2 },
  });

const sound = () => agentOf('sound', () => 'Done.');

const lead = () => leadOf([sound(), broken(), cutOff()]);

/** As they are told outside of the outcome document. */
const missing = [
  {
    path: 'lead:broken',
    title: 'Asks broken',
    status: 'failed',
    sessionId: expect.any(String),
    failure: expect.objectContaining({ class: 'auth', code: 'model-auth', message: expect.stringContaining('…') }),
  },
  { path: 'lead:cut', title: 'Asks cut', status: 'partial', sessionId: expect.any(String), limit: 'maxTurns' },
];

const header = 'x-ai-agent-incomplete';
const whole = { accept: 'application/vnd.ai-agent+json' };

function expectNothingInside(told: unknown): void {
  expect(JSON.stringify(told)).not.toContain('/srv/house');
}

/** Calls the broken one, and thinks about what came of it until it may go on. */
function waits(request: ModelRequest, until: Promise<void>): Step {
  return lastResult(request) ? { text: 'The answer.', until } : call('broken', { reason: 'Asks broken', text: 'go' });
}

async function readEvents(response: Response): Promise<readonly ReadEvent[]> {
  const events: ReadEvent[] = [];
  for await (const event of parseEvents(response.body as unknown as AsyncIterable<Uint8Array>)) events.push(event);
  return events;
}

describe('REST', () => {
  test('a header counts them beside the bare answer, and the document names them', async () => {
    const { get } = restApp([lead()]);
    const bare = await get('/v1/lead?q=a');
    expect([bare.status, await bare.text(), bare.headers.get(header)]).toEqual([200, 'The answer.', '2']);
    const response = await get('/v1/lead?q=a', whole);
    expect([response.status, response.headers.get(header)]).toEqual([200, '2']);
    const document = (await response.json()) as { status: string; incomplete: unknown };
    expect([document.status, document.incomplete]).toEqual(['completed', missing]);
    expectNothingInside(document);
  });

  test('nothing missing: no header, and an empty list', async () => {
    const { get } = restApp([leadOf([sound()])]);
    const response = await get('/v1/lead?q=a', whole);
    expect([response.headers.has(header), await response.json()]).toMatchObject([false, { incomplete: [] }]);
  });

  test('the last event of a stream names them', async () => {
    const events = await readEvents(await restApp([lead()]).get('/v1/lead?q=a', { accept: 'text/event-stream' }));
    expect(events.at(-1)?.data.incomplete).toEqual(missing);
    expectNothingInside(events);
  });

  test('a call that was refused has no session', async () => {
    const other = agentOf('other', () => 'Done.');
    const { get } = restApp([leadOf([sound(), other], { budget: { descendants: 1 } })]);
    const { incomplete } = (await (await get('/v1/lead?q=a', whole)).json()) as { incomplete: object[] };
    const failure = expect.objectContaining({ code: 'budget-exhausted' });
    expect(incomplete).toEqual([{ path: 'lead:other', title: 'Asks other', status: 'refused', failure }]);
  });

  test('a session that is kept names them when it is read again', async () => {
    const { get, post } = restApp([lead()]);
    const started = await post('/v1/sessions', JSON.stringify({ agent: 'lead', input: 'Go.' }), 'application/json');
    const { id } = (await started.json()) as { id: string };
    await (await get(`/v1/sessions/${id}/events`)).text();
    const session = (await (await get(`/v1/sessions/${id}`)).json()) as { incomplete: unknown };
    const list = await (await get('/v1/sessions')).json();
    expect(list).toMatchObject({ sessions: [{ id, incompleteCount: 2 }] });
    expect(session.incomplete).toEqual(missing);
    expectNothingInside(session);
  });

  /** A session whose only child has failed, and whose model is still at work. */
  async function afterToolEnd() {
    const held = gate();
    const slow = leadOf([broken()], { model: scriptedModel((request) => waits(request, held.opened)) });
    const { get, hall, start, wire } = await openHouse(hallOf([slow]));
    const id = await start('lead');
    for await (const { event } of parseEvents((await wire.send(`/v1/sessions/${id}/events`)).chunks))
      if (event === 'tool-end') break;
    return { get, hall, id, held };
  }

  test('a cancelled session has no answer, so its place in a list has no count', async () => {
    const { get, hall, id, held } = await afterToolEnd();
    hall.live(id)?.abandon('The caller cancelled.');
    await expect.poll(async () => (await get(`/v1/sessions/${id}`)).body.status).toBe('cancelled');
    const { sessions } = (await get('/v1/sessions')).body as { sessions: readonly object[] };
    expect(sessions[0]).not.toHaveProperty('incompleteCount');
    held.open();
  });

  test('a session that runs names them as far as it has come', async () => {
    const { get, hall, id, held } = await afterToolEnd();
    expect((await get(`/v1/sessions/${id}`)).body).toMatchObject({ status: 'running', incomplete: [missing[0]] });
    held.open();
    await hall.stop(0);
  });

  test('an answer that came after a question names those that failed before it', async () => {
    const question = { calls: [{ name: 'ask_user', input: { question: 'Which year?' } }] };
    const curious = agentOf('curious', (request) => lastResult(request) ?? question, { ask: 'person' });
    const { get, post } = restApp([leadOf([broken(), curious])], { ports: fakePorts({ pauses: new MemoryPauses() }) });
    const asked = await get('/v1/lead?q=a');
    expect(asked.headers.get('x-ai-agent-status')).toBe('needs_user_input');
    const path = `/v1/sessions/${asked.headers.get('x-ai-agent-session')}`;
    const answered = await post(`${path}/answer`, JSON.stringify({ answer: '1999' }), 'application/json');
    expect([await answered.text(), answered.headers.get(header)]).toEqual(['The answer.', '1']);
    expect(await (await get(path)).json()).toMatchObject({ status: 'completed', incomplete: [missing[0]] });
  });

  test('pages of other origins may read the header', async () => {
    const { app } = governed({ agents: [lead()], cors: ['https://www.example.com'] });
    const { headers } = await app.request('/v1', { headers: { origin: 'https://www.example.com' } });
    expect(headers.get('access-control-expose-headers')).toContain(header);
  });

  test('the OpenAPI document has the header and the field', async () => {
    const document = (await (await restApp([lead()]).get('/openapi.json')).json()) as {
      components: { headers: object; schemas: Record<string, { properties: object }> };
    };
    expect(document.components.headers).toHaveProperty(header);
    for (const name of ['Outcome', 'SessionRecord'])
      expect(document.components.schemas[name]?.properties).toHaveProperty('incomplete');
  });
});

describe('MCP', () => {
  interface Told {
    readonly _meta?: Readonly<Record<string, { readonly status?: string; readonly incomplete?: unknown }>>;
  }

  const toldIn = ({ _meta }: Told) => _meta?.['ai-agent/outcome'];

  test.each(['older', 'newer'] as const)('the result of a tool, for a client of the %s revision', async (kind) => {
    const client = await mcpApp([lead()])[kind]();
    const result = await client.callTool({ name: 'lead', arguments: { text: 'go' } });
    expect(result.isError).toBeUndefined();
    expect(toldIn(result as Told)).toMatchObject({ status: 'completed', incomplete: missing });
    expectNothingInside(result);
    const { contents } = await client.readResource({
      uri: `ai-agent://sessions/${(toldIn(result as Told) as { sessionId: string }).sessionId}`,
    });
    expect(toldIn(contents[0] as Told)?.incomplete).toEqual(missing);
    expectNothingInside(contents);
  });

  test('nothing missing: no field', async () => {
    const client = await mcpApp([leadOf([sound()])]).newer();
    const result = (await client.callTool({ name: 'lead', arguments: { text: 'go' } })) as Told;
    expect(toldIn(result)).not.toHaveProperty('incomplete');
  });
});

describe('agents as models', () => {
  test('chat completions: the extension field, at once and at the end of a stream', async () => {
    const app = openaiApp([lead()]);
    const about = (await app.complete(ask('lead'))).ai_agent;
    expect(about).toMatchObject({ status: 'completed', incomplete: missing });
    const last = (await app.stream(ask('lead'))).at(-2).ai_agent;
    expect(last.incomplete).toEqual(missing);
    expectNothingInside([about, last]);
    expect((await openaiApp([leadOf([sound()])]).complete(ask('lead'))).ai_agent).not.toHaveProperty('incomplete');
  });

  test('responses: the same', async () => {
    const app = responsesApp([lead()]);
    const about = (await app.respond({ model: 'lead', input: 'Go.' })).ai_agent;
    expect(about).toMatchObject({ status: 'completed', incomplete: missing });
    const last = (await app.stream({ model: 'lead', input: 'Go.' })).findLast(({ response }) => response);
    expect(last.response.ai_agent.incomplete).toEqual(missing);
  });

  test('messages: the same', async () => {
    const app = anthropicApp([lead()]);
    const body = { messages: [{ role: 'user', content: 'Go.' }] };
    expect((await app.message(body)).ai_agent).toMatchObject({ status: 'completed', incomplete: missing });
    const delta = (await app.events(body)).find(({ type }) => type === 'message_delta');
    expect(delta.ai_agent.incomplete).toEqual(missing);
    expect((await app.post(body)).headers.get(header)).toBe('2');
  });
});

describe('visitors of a page', () => {
  const origin = 'https://www.example.com';

  test('a session says that something is missing, and neither what nor why', async () => {
    const keys = { site: { origins: [origin], agents: ['*'], requestsPerMinute: 100 } };
    const { app } = governed({ keys, agents: [lead()] });
    const headers = { origin, 'content-type': 'application/json' };
    const body = JSON.stringify({ agent: 'lead', input: 'Go.' });
    const started = await app.request('/v1/sessions', { method: 'POST', body, ...as('site', headers) });
    const { id } = (await started.json()) as { id: string };
    const read = async (path: string) => (await app.request(path, as('site', headers))).text();
    const events = await read(`/v1/sessions/${id}/events`);
    const session = await read(`/v1/sessions/${id}`);
    expect(JSON.parse(session)).toMatchObject({ status: 'completed', isIncomplete: true });
    expect(session).not.toMatch(/"incomplete"|broken|maxTurns/);
    expect(events).not.toMatch(/"incomplete"|model-auth|maxTurns/);
    expectNothingInside([events, session]);
  });

  test('a chat says that something is missing at its end', async () => {
    const { chat } = embedApp([lead()]);
    const events = await chat({ message: 'Go.' });
    expect(dataOf(events, 'done')).toMatchObject({ success: true, status: 'completed', isIncomplete: true });
    expect(JSON.stringify(dataOf(events, 'done'))).not.toMatch(/broken|model-auth|maxTurns/);
    const sound1 = embedApp([leadOf([sound()])]);
    expect(dataOf(await sound1.chat({ message: 'Go.' }), 'done')).not.toHaveProperty('isIncomplete');
  });
});

test('a session that was interrupted names the child that it lost, and says what its agent wrote', async () => {
  const began = gate();
  const never = agentOf('never', () => {
    began.open();
    return { until: new Promise<void>(() => {}) };
  });
  const asking = { text: 'Let me ask.', ...call('never', { text: 'go' }) };
  const boss = agentOf('boss', () => asking, { tools: [asTool(never) as ToolOffer] });
  const store = new MemorySessions();
  const id = await (await openHouse(hallOf([boss], { store }))).start('boss');
  await began.opened;
  const head = store.get(id);
  if (!head) throw new TypeError('The session is not in the store.');
  store.put({ ...head, status: 'interrupted', endedAt: head.createdAt, facts: store.facts(id, 0).length });
  const after = await openHouse(hallOf([boss], { store }));
  expect((await after.get(`/v1/sessions/${id}`)).body).toMatchObject({
    status: 'interrupted',
    text: 'Let me ask.',
    incomplete: [{ path: 'boss:never', status: 'failed', failure: { code: 'session-interrupted' } }],
  });
});
