// The promise: a question that a grandchild asks, and leave that it needs, is answered through each door, also after a restart of the server: the very one that
// asked goes on with what it had said, nobody above it begins again, and each call is counted once.

import { type Agent, defineTool, ledgerOf } from '@ai-agent/core';
import type { ScriptedModel } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { type LastingHouse, lastingHouse } from '../support/lasting-house.ts';
import { clientKinds } from '../support/mcp-clients.ts';
import { chatApi } from './chat-door.ts';
import { detachedDoor } from './detached-door.ts';
import type { Door } from './door.ts';
import { mcpDoor } from './mcp-door.ts';
import { messagesApi } from './messages-door.ts';
import { type ModelApi, modelDoor } from './model-door.ts';
import { agentOf, leadOf } from './people.ts';
import { keptResponsesApi, responsesApi } from './responses-door.ts';
import { documentType, restDoor } from './rest-door.ts';

interface Family {
  readonly lead: Agent;
  readonly middle: Agent;
  readonly grandchild: Agent;
  /** How often the tool was used that needs leave. */
  used(): number;
}

/** New each time, as in a new process: nothing of it remembers anything. */
function family(): Family {
  let uses = 0;
  const drop = defineTool({
    name: 'drop',
    inputSchema: { type: 'object' },
    needsApproval: true,
    execute() {
      uses += 1;
      return 'dropped';
    },
  });
  const question = { question: 'Which year?', choices: ['1999', '2024'] };
  const grandchild = agentOf(
    'grandchild',
    ({ messages }) => {
      const [year, done] = messages.flatMap((one) => (one.role === 'tool' ? one.content.map(({ text }) => text) : []));
      if (year === undefined) return { text: 'I have begun.', calls: [{ name: 'ask_user', input: question }] };
      return done === undefined ? { text: `It is ${year}.`, calls: [{ name: 'drop' }] } : `All of ${year} ${done}.`;
    },
    { ask: 'person', tools: [drop] },
  );
  const middle = leadOf('middle', grandchild);
  return { lead: leadOf('lead', middle), middle, grandchild, used: () => uses };
}

const told = (agent: Agent) => (agent.model as ScriptedModel).requests.map(({ messages }) => messages);

/** Only what is new, and the session that it is for. */
function thin(api: ModelApi): ModelApi {
  return {
    ...api,
    fromBody(body) {
      const read = api.fromBody(body);
      return { ...read, id: read.about.session_id };
    },
    toBody: (talk) =>
      talk.previous === undefined
        ? api.toBody(talk)
        : { ...api.toBody({ ...talk, said: talk.said.slice(-1) }), ai_agent: { session: talk.previous } },
  };
}

/** Clients of the older revision have a session of the protocol, which ends with its server: they connect again. */
const isStateless = (kind: (typeof clientKinds)[number]) => kind.speaks === clientKinds.at(-1)?.speaks;

type ToDoor = (house: LastingHouse, isAnother: boolean) => Door;

const model =
  (api: ModelApi): ToDoor =>
  ({ connect }) =>
    modelDoor({ name: '', connect, api });

const doors: Readonly<Record<string, ToDoor>> = {
  REST: ({ connect }) => restDoor({ name: '', connect }),
  'REST, with the whole outcome': ({ connect }) => restDoor({ name: '', connect, accept: documentType }),
  'REST, detached': ({ connect }) => detachedDoor({ name: '', connect }),
  'chat completions': model(chatApi),
  'responses, with the whole conversation': model(responsesApi),
  'responses, by the previous one': model(keptResponsesApi),
  messages: model(messagesApi),
  'chat completions, by session': model(thin(chatApi)),
  'responses, by session': model(thin(responsesApi)),
  'messages, by session': model(thin(messagesApi)),
  ...Object.fromEntries(
    clientKinds.flatMap((kind) =>
      [false, true].map((canElicit): [string, ToDoor] => [
        `MCP with ${kind.name}, ${canElicit ? 'in a form' : 'by arguments'}`,
        ({ route }, isAnother) => mcpDoor({ route, kind, canElicit, reconnects: isAnother && !isStateless(kind) }),
      ]),
    ),
  ),
};

describe.each(['by the server that asked', 'after a restart each time'])('%s', (when) => {
  const isAnother = when !== 'by the server that asked';
  test.each(Object.entries(doors))('%s', async (_, toDoor) => {
    const house = await lastingHouse();
    const families = [family()];
    const restart = async () => {
      if (!isAnother) return;
      families.push(family());
      await house.open([families.at(-1)?.lead as Agent]);
    };
    await house.open([families[0]?.lead as Agent]);
    const open = await toDoor(house, isAnother).open([]);
    const asked = await open.ask({ agent: 'lead', input: 'Go.' });
    expect([asked.status, asked.question]).toEqual(['needs_user_input', expect.stringMatching(/Which year\?/)]);
    await restart();
    const { status, question, sessionId } = await open.answer(asked, '1999');
    expect([status, sessionId, question]).toEqual(['needs_user_input', asked.sessionId, expect.stringMatching(/drop/)]);
    expect(families.map(({ used }) => used())).toEqual(families.map(() => 0));
    await restart();
    const answered = await open.answer(asked, 'yes');
    expect([answered.status, answered.sessionId]).toEqual(['completed', asked.sessionId]);
    expect(answered.text).toContain('All of 1999 dropped.');
    expect(families.map(({ used }) => used())).toEqual(isAnother ? [0, 0, 1] : [1]);
    expectEveryTurnOnce(families);
    await expectEveryCallOnce(house, asked.sessionId);
    await open.close();
  });
});

const first = ['user'];
const second = [...first, 'assistant', 'tool'];
const third = [...second, 'assistant', 'tool'];

/** Nobody was asked again what was asked before, and everybody knew what was said before. */
function expectEveryTurnOnce(families: readonly Family[]): void {
  const rolesOf = (role: 'lead' | 'middle' | 'grandchild') =>
    families.flatMap((one) => told(one[role]).map((messages) => messages.map((message) => message.role)));
  expect([rolesOf('lead'), rolesOf('middle'), rolesOf('grandchild')]).toEqual([
    [first, second],
    [first, second],
    [first, second, third],
  ]);
  expect(families.flatMap(({ grandchild }) => told(grandchild)).at(-1)).toMatchObject([
    {},
    { content: [{ type: 'text', text: 'I have begun.' }, { name: 'ask_user' }] },
    { content: [{ text: '1999' }] },
    { content: [{ type: 'text', text: 'It is 1999.' }, { name: 'drop' }] },
    { content: [{ text: 'dropped' }] },
  ]);
}

async function expectEveryCallOnce(house: LastingHouse, id: string): Promise<void> {
  const { total, byName } = ledgerOf(await house.store().facts(id, 0));
  const calls = ['lead', 'middle', 'grandchild'].map((name) => byName[name]?.modelCalls);
  expect([total.modelCalls, calls]).toEqual([7, [2, 2, 3]]);
  expect(await house.store().get(id)).toMatchObject({ status: 'completed', resumptions: 2, usage: { modelCalls: 7 } });
}
