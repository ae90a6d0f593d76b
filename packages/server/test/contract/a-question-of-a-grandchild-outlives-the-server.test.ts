// The promise: a question that a grandchild asks is answered through each door, also after a restart of the server: the very one that
// asked goes on with what it had said, nobody above it begins again, and each call is counted once.

import { type Agent, defineTool, type Json, ledgerOf } from '@ai-agent/core';
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
import { agentOf, lastResult, leadOf } from './people.ts';
import { keptResponsesApi, responsesApi } from './responses-door.ts';
import { documentType, restDoor } from './rest-door.ts';

interface Family {
  readonly lead: Agent;
  readonly middle: Agent;
  readonly grandchild: Agent;
  /** How often the tool was used that needs leave. */
  used(): number;
}

interface Question {
  readonly what: string;
  readonly answer: Json;
  readonly asked: RegExp;
  readonly said: string;
  /** How often the tool is used in the end. */
  readonly uses: number;
  readonly isApproval: boolean;
}

const questions: readonly Question[] = [
  { what: 'a question', answer: '1999', asked: /Which year\?/, said: 'It came to 1999.', uses: 0, isApproval: false },
  { what: 'an approval', answer: 'yes', asked: /drop/, said: 'It came to dropped.', uses: 1, isApproval: true },
];

/** New each time, as in a new process: nothing of it remembers anything. */
function familyOf({ isApproval }: Question): Family {
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
  const call = isApproval
    ? { name: 'drop', input: {} }
    : { name: 'ask_user', input: { question: 'Which year?', choices: ['1999', '2024'] } };
  const grandchild = agentOf(
    'grandchild',
    (request) => {
      const result = lastResult(request);
      return result === undefined ? { text: 'I have begun.', calls: [call] } : `It came to ${result}.`;
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

describe.each(questions)('$what', (question) => {
  describe.each(['by the server that asked', 'after a restart'])('%s', (when) => {
    const isAnother = when === 'after a restart';
    test.each(Object.entries(doors))('%s', async (_, toDoor) => {
      const house = await lastingHouse();
      const [before, after] = [familyOf(question), familyOf(question)];
      await house.open([before.lead]);
      const open = await toDoor(house, isAnother).open([]);
      const asked = await open.ask({ agent: 'lead', input: 'Go.' });
      expect([asked.status, asked.question]).toEqual(['needs_user_input', expect.stringMatching(question.asked)]);
      expect(before.used()).toBe(0);
      if (isAnother) await house.open([after.lead]);
      const answered = await open.answer(asked, question.answer);
      expect(answered).toMatchObject({ status: 'completed', sessionId: asked.sessionId });
      expect(answered.text).toContain(question.said);
      const went = isAnother ? after : before;
      expect([before.used() + after.used(), went.used()]).toEqual([question.uses, question.uses]);
      expectOneTurnEach([before, after], went);
      await expectEachCallOnce(house, asked.sessionId);
      await open.close();
    });
  });
});

/** Everybody was asked once before the answer and once after it, with all that was said before. */
function expectOneTurnEach(families: readonly Family[], went: Family): void {
  for (const role of ['lead', 'middle', 'grandchild'] as const) {
    const all = families.flatMap((family) => told(family[role]));
    expect(all.map((messages) => messages.map((message) => message.role))).toEqual([
      ['user'],
      ['user', 'assistant', 'tool'],
    ]);
  }
  expect(told(went.grandchild).at(-1)).toMatchObject([
    {},
    { content: [{ type: 'text', text: 'I have begun.' }, { type: 'tool-call' }] },
    {},
  ]);
}

async function expectEachCallOnce(house: LastingHouse, id: string): Promise<void> {
  const { total, byName } = ledgerOf(await house.store().facts(id, 0));
  expect(total.modelCalls).toBe(6);
  for (const name of ['lead', 'middle', 'grandchild']) expect([name, byName[name]?.modelCalls]).toEqual([name, 2]);
  expect(await house.store().get(id)).toMatchObject({ status: 'completed', resumptions: 1, usage: { modelCalls: 6 } });
}
