// The promise: a store that goes away in the middle of a talk is told of once, and the talk goes on with all that was said and asked.

import { type AgentEvent, MemoryPauses, nextRound, type Paused, type SessionHead } from '@ai-agent/core';
import type { Store } from '@ai-agent/store';
import { expect, test } from 'vitest';
import { TalkStore } from '../src/commands/chat/talk-store.ts';
import { KeptSessions } from '../src/kept-sessions.ts';
import { randomIds, systemClock } from '../src/platform.ts';
import { run } from './support/command.ts';
import { desk, echo } from './support/talk.ts';

const choice = { where: '/nowhere/sessions.sqlite', isUsual: false, retention: {} };

const head: SessionHead = {
  id: 'talk1',
  agent: 'desk',
  owner: '@terminal',
  headend: 'terminal',
  isDetached: false,
  status: 'completed',
  createdAt: 1,
  endedAt: 2,
  facts: 0,
  resumptions: 0,
};

/** A store of which everything fails from some moment on. */
function breaking() {
  const state = { isGone: false };
  const pauses = new MemoryPauses();
  const tries = <T>(work: () => T) => {
    if (state.isGone) throw new Error('the store is gone');
    return work();
  };
  const store = {
    put: () => tries(() => {}),
    append: () => tries(() => {}),
    claim: () => tries(() => true),
    pauses: {
      put: (handle: string, paused: Paused) => tries(() => pauses.put(handle, paused)),
      get: (handle: string) => tries(() => pauses.get(handle)),
      delete: (handle: string) => tries(() => pauses.delete(handle)),
    },
    close: async () => {},
  } as unknown as Store;
  const sessions = new KeptSessions(choice, { open: async () => store });
  const talk = new TalkStore(sessions, { head, facts: [] });
  const keeper = { store: talk, clock: systemClock, ids: randomIds, onBug: () => {} };
  return { state, sessions, talk, keeper };
}

test('a further message is answered', async () => {
  const { state, sessions, keeper, talk } = breaking();
  await talk.put(head);
  state.isGone = true;
  const round = await nextRound(keeper, head, { prompt: 'And now?' });
  expect(round.given.sessionId).toBe('talk1-2');
  expect(sessions.unkept?.message).toContain('the store is gone');
  round.onEvent({ kind: 'hint' } as AgentEvent);
  await round.end({ status: 'completed', endedAt: 3 });
  expect(talk.head).toMatchObject({ status: 'completed', resumptions: 1 });
  expect((await nextRound(keeper, talk.head as SessionHead, { prompt: 'More.' })).head.resumptions).toBe(2);
});

test('a question that was asked before is answered', async () => {
  const { state, keeper, talk } = breaking();
  await talk.pauses.put('handle', {} as Paused);
  const question = { type: 'question', text: 'Which?', handle: 'handle', agentName: 'desk' };
  const asking = { ...head, status: 'needs_user_input', question, resume: 'handle' } as unknown as SessionHead;
  state.isGone = true;
  expect((await nextRound(keeper, asking, { prompt: 'The blue one' })).given.resume).toBe('handle');
  expect(await talk.pauses.get('handle')).toEqual({});
});

test('what is not kept is told once, and nobody is told how to go on with it', async () => {
  const { cwd } = await desk(echo, { taken: 'no folder' });
  const { code, stdout, stderr } = await run(['chat', 'desk.ai', '--store', 'taken/store.sqlite'], {
    cwd,
    input: 'a\nb\n',
  });
  expect([code, stdout]).toEqual([0, 'heard a\n\nheard a + b\n']);
  expect(stderr.match(/is not kept/g)).toHaveLength(1);
  expect(stderr).not.toContain('Go on with:');
});
