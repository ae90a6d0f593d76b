// What every store of sessions keeps to, whoever implements it: run it through this.

import type { Fact, SessionHead, SessionStore } from '@ai-agent/core';
import { expect, test } from 'vitest';

export function headOf(id: string, more: Partial<SessionHead> = {}): SessionHead {
  const status = more.endedAt === undefined ? 'running' : 'completed';
  const known = { agent: 'echo', owner: null, headend: 'rest', isDetached: true, resumptions: 0, facts: 0 };
  return { id, ...known, status, createdAt: 1, ...more };
}

/** A fact as a store sees it: data, and which one it is. */
export function factOf(seq: number, text = ''): Fact {
  const trace = { originId: 's', parentId: null, selfId: 's' };
  return { kind: 'fact', type: 'turn-end', seq, at: seq, op: `turn.${seq}`, turn: seq, trace, text } as unknown as Fact;
}

export function keepsSessions(open: () => SessionStore | Promise<SessionStore>): void {
  test('a head is what was put last', async () => {
    const store = await open();
    await store.put(headOf('a'));
    const question = {
      type: 'question',
      text: '?',
      to: 'person',
      handle: 'h',
      agentName: 'x',
      sessionId: 'a',
    } as const;
    const ended = headOf('a', {
      status: 'needs_user_input',
      endedAt: 9,
      question,
      resume: 'h',
      facts: 3,
      resumptions: 1,
    });
    await store.put(ended);
    expect(await store.get('a')).toEqual(ended);
    expect(await store.get('b')).toBeUndefined();
  });

  test('facts keep their order over the life of a session, from any place, as many as wanted', async () => {
    const store = await open();
    const facts = Array.from({ length: 25 }, (_, i) => factOf(i + 1));
    await store.put(headOf('a'));
    await store.put(headOf('b'));
    await store.append('a', facts.slice(0, 10));
    await store.append('b', [factOf(1)]);
    for (const fact of facts.slice(10, 20)) await store.append('a', [fact]);
    await store.put(headOf('a', { endedAt: 5, facts: 20 }));
    // It goes on after a question.
    await store.put(headOf('a', { facts: 20, resumptions: 1 }));
    await store.append('a', facts.slice(20));
    const seqs = async (after: number, limit?: number) => (await store.facts('a', after, limit)).map(({ seq }) => seq);
    expect(await seqs(0)).toEqual(facts.map(({ seq }) => seq));
    expect(await seqs(22)).toEqual([23, 24, 25]);
    expect(await seqs(18, 4)).toEqual([19, 20, 21, 22]);
    expect(await seqs(25)).toEqual([]);
    expect(await seqs(99)).toEqual([]);
    expect(await store.facts('nobody', 0)).toEqual([]);
    expect((await store.facts('a', 0))[4]).toEqual(factOf(5));
  });

  test('the beginning of an id finds those that begin so', async () => {
    const store = await open();
    for (const [at, id] of ['abcd1', 'abcd2', 'abce1', 'b-cd1'].entries()) await store.put(headOf(id, { createdAt: at }));
    const ids = async (prefix: string, limit = 10) => (await store.list({ prefix, limit })).map(({ id }) => id);
    expect(await ids('abcd')).toEqual(['abcd2', 'abcd1']);
    expect(await ids('abc', 2)).toEqual(['abce1', 'abcd2']);
    expect(await ids('b-')).toEqual(['b-cd1']);
    expect(await ids('abcd1')).toEqual(['abcd1']);
    expect(await ids('x')).toEqual([]);
  });

  test('each owner has its own, the newest first', async () => {
    const store = await open();
    await store.put(headOf('a', { createdAt: 2, owner: 'ada' }));
    await store.put(headOf('b', { createdAt: 1, owner: 'ada' }));
    await store.put(headOf('c', { createdAt: 2, owner: 'ada' }));
    await store.put(headOf('d', { createdAt: 3 }));
    await store.put(headOf('a', { createdAt: 2, owner: 'ada', endedAt: 9 }));
    const ids = async (owner: string | null, limit: number) => (await store.list({ owner, limit })).map(({ id }) => id);
    expect(await ids('ada', 10)).toEqual(['c', 'a', 'b']);
    expect(await ids('ada', 2)).toEqual(['c', 'a']);
    expect(await ids(null, 10)).toEqual(['d']);
    expect(await ids('bob', 10)).toEqual([]);
  });
}
