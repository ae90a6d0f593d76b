// The promise: the widget hears the same of a run whether it is shown what visitors are, or, by a server without keys, the whole facts;
// and it stops one also where it has not heard of it yet.

import { type Agent, AIAgentSession, asTool, type ToolOffer } from '@ai-agent/core';
import { fakePorts, scriptedModel } from '@ai-agent/core/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { toVisibleEvent } from '../../server/src/headends/rest/visible-events.ts';
import { hear } from '../src/widget/heard.ts';
import { Reply } from '../src/widget/reply.ts';
import { toVisitorWords } from '../src/widget/visitor-words.ts';

// Loaded by name: its types need those of a browser, which tests do not have.
const { Conversation } = (await import(new URL('../src/widget/conversation.ts', import.meta.url).href)) as {
  readonly Conversation: new (setting: () => object, told: object) => Talking;
};

interface Talking {
  ask(text: string): Promise<void>;
  stop(): Promise<void>;
  talk(): { readonly state: string };
}

test('both ways to tell a run come to the same reply', async () => {
  const child: Agent = { name: 'stock', description: 'Counts', instructions: '', model: scriptedModel(['Seven.']) };
  const call = { name: 'stock', input: { text: 'Count', reason: 'Counting what is left' } };
  const agent: Agent = {
    name: 'shop',
    description: 'Knows',
    instructions: '',
    model: scriptedModel([{ text: 'Let me see.', calls: [call] }, 'Seven are left.']),
    tools: [asTool(child) as ToolOffer],
  };
  const run = new AIAgentSession({ agent, ports: fakePorts() }).run('How many?');
  const [whole, visible] = [new Reply(), new Reply()];
  let count = 0;
  for await (const event of run.events) {
    const shown = toVisibleEvent(event);
    const [one, other] = [hear(JSON.stringify(event)), shown ? hear(JSON.stringify(shown)) : undefined];
    expect(other).toEqual(one);
    if (!one || !other) continue;
    count++;
    whole.hear(one);
    visible.hear(other);
  }
  expect(count).toBeGreaterThan(4);
  expect(visible.picture).toEqual(whole.picture);
  expect(whole.picture).toMatchObject({
    text: 'Seven are left.',
    steps: [{ title: 'Counting what is left', state: 'done' }],
  });
});

test('what a round told that was left behind is no part of the next', () => {
  const reply = new Reply();
  const about = { trace: { selfId: 's1', originId: 's1' } };
  const tell = (event: object) =>
    reply.hear(hear(JSON.stringify({ ...about, ...event })) ?? { type: '', session: '', isRoot: false });
  tell({ type: 'tool-start', op: 'turn.1.tool.1', title: 'Looks it up' });
  tell({ type: 'session-end', ending: { status: 'failed', text: 'Half', failure: { code: 'cancelled' } } });
  expect(reply.picture).toMatchObject({ text: 'Half', steps: [{ title: 'Looks it up' }] });
  tell({ type: 'session-start', trace: { selfId: 's1~2', originId: 's1~2' } });
  expect(reply.picture).toEqual({ text: '', steps: [] });
});

test('what a provider says is for nobody who visits, and only what may go better is tried again', () => {
  const told = {
    class: 'network',
    code: 'model-network',
    message: 'acme: nothing answers at 10.0.0.5',
    remedy: 'Check.',
  };
  const unfinished = { message: 'This could not be finished.' };
  expect(toVisitorWords({ ...told, retryable: true })).toEqual({ ...unfinished, remedy: 'Try again in a moment.' });
  expect(toVisitorWords({ ...told, class: 'auth', code: 'model-auth', retryable: false })).toEqual(unfinished);
  for (const code of ['unreachable', 'http-502'])
    expect(toVisitorWords({ class: 'network', code, message: 'Nobody.', remedy: 'Wait.' })).toEqual({
      ...{ message: 'Nobody.', remedy: 'Wait.' },
    });
});

test('what is stopped before the server has said that it begins is stopped when it has; a second time it is left', async () => {
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => setTimeout(draw));
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('removeEventListener', () => {});
  onTestFinished(() => void vi.unstubAllGlobals());
  const said: string[] = [];
  const begins: ((standing: object) => void)[] = [];
  const end = 'event: end\ndata: {"id":"s1","status":"completed"}\n\n';
  const api = {
    start: () => new Promise((begin) => begins.push(begin)),
    stop: async (id: string) => said.push(`stop ${id}`),
    cancel: async (id: string) => said.push(`cancel ${id}`),
    ask: async () => new Response(end),
  };
  const talk = new Conversation(() => ({ api, agent: 'shop' }), { onAnswer: () => {}, onError: () => {} });
  for (const round of [1, 2]) {
    const asked = talk.ask('Tell me.');
    await talk.stop();
    expect([said.length, talk.talk().state]).toEqual([round - 1, 'stopping']);
    begins.shift()?.({ id: 's1' });
    await asked;
    expect(said).toEqual(Array.from({ length: round }, () => 'stop s1'));
  }
  const asked = talk.ask('Again.');
  await talk.stop();
  await talk.stop();
  expect(talk.talk().state).toBe('resting');
  begins.shift()?.({ id: 's1' });
  await asked;
  expect(said.at(-1)).toBe('cancel s1');
});
