// What every store of sessions keeps to, whoever implements it: run it through this.

import {
  compareNames,
  type NoteStore,
  type Paused,
  type SessionHead,
  type SessionQuery,
  type SessionStore,
} from '@ai-agent/core';
import { expect, test } from 'vitest';
import type { Store } from '../../src/index.ts';
import { factOf, headOf } from './facts.ts';

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
    for (const [at, id] of ['abcd1', 'abcd2', 'abce1', 'b-cd1'].entries())
      await store.put(headOf(id, { createdAt: at }));
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

  test('going on is for one: whoever comes second, too early or for another round is told so', async () => {
    const store = await open();
    expect(await store.claim(headOf('a', { resumptions: 1 }))).toBe(false);
    await store.put(headOf('a'));
    expect(await store.claim(headOf('a', { resumptions: 1 }))).toBe(false);
    await store.put(headOf('a', { endedAt: 5, facts: 3 }));
    expect(await store.claim(headOf('a', { resumptions: 2 }))).toBe(false);
    expect(await store.claim(headOf('a', { resumptions: 0 }))).toBe(false);
    const next = headOf('a', { status: 'queued', facts: 3, earlierFacts: 3, resumptions: 1 });
    const claims = await Promise.all(Array.from({ length: 20 }, () => store.claim(next)));
    expect(claims.filter((isOurs) => isOurs).length).toBe(1);
    expect(await store.get('a')).toEqual(next);
    // It never began, and whoever claimed it gives it back.
    await store.put(headOf('a', { endedAt: 5, facts: 3 }));
    expect(await store.claim(next)).toBe(true);
  });

  test('sessions are found by whatever is known of them', async () => {
    const store = await open();
    const heads = variedHeads();
    for (const head of heads) await store.put(head);
    const queries: readonly Omit<SessionQuery, 'limit'>[] = [
      {},
      { owner: 'ada' },
      { owner: null },
      { user: 'u4' },
      { user: null },
      { owner: 'bob', user: 'u0' },
      { agent: 'rare' },
      { agent: 'rare', owner: 'ada', headend: 'mcp' },
      { headend: 'mcp' },
      { statuses: ['failed'] },
      { statuses: ['running', 'failed', 'failed'] },
      { statuses: [] },
      { statuses: ['completed'], agent: 'echo', owner: null },
      { since: 105 },
      { until: 105 },
      { since: 103, until: 110, owner: 'ada' },
    ];
    for (const query of queries) {
      const wanted = heads.filter((head) => fits(head, query)).reverse();
      expect(await store.list({ ...query, limit: 100 }), JSON.stringify(query)).toEqual(wanted);
      expect(await idsByPages(store, query), JSON.stringify(query)).toEqual(wanted.map(({ id }) => id));
    }
    expect(await store.list({ before: 'nobody', limit: 5 })).toEqual([]);
    // What is left out may be anything.
    expect(await store.list({})).toEqual(await store.list({ limit: 1_000 }));
    for (const limit of [0, -1, 1.5, Number.NaN])
      await expect(async () => store.list({ limit })).rejects.toThrow('a limit of at least 1');
  });

  test('what is deleted is gone with its facts, and what runs is left alone', async () => {
    const store = await open();
    for (const id of ['a', 'ab', 'runs']) {
      await store.put(headOf(id));
      await store.append(id, [factOf(1), factOf(2)]);
    }
    for (const id of ['a', 'ab']) await store.put(headOf(id, { endedAt: 5 }));
    expect(await store.delete('runs')).toBe(false);
    expect(await store.delete('nobody')).toBe(false);
    expect(await store.delete('a')).toBe(true);
    expect(await store.delete('a')).toBe(false);
    expect([await store.get('a'), await store.facts('a', 0)]).toEqual([undefined, []]);
    expect((await store.facts('ab', 0)).length).toBe(2);
    expect((await store.facts('runs', 0)).length).toBe(2);
    // The same name is another session.
    await store.put(headOf('a'));
    await store.append('a', [factOf(9)]);
    expect((await store.facts('a', 0)).map(({ seq }) => seq)).toEqual([9]);
  });

  test('whatever is written in facts and heads comes back as it was', async () => {
    const store = await open();
    const text = 'naïve 日本語 👩‍👩‍👧 \u0000 \ud800 \u2028 "quoted" \\ \r\n </script>';
    const id = 'ünïcode-👍';
    const head = headOf(id, { title: text, agent: text, owner: 'ключ', user: '用户' });
    await store.put(head);
    await store.append(id, [factOf(1, text)]);
    expect(await store.get(id)).toEqual(head);
    expect(await store.facts(id, 0)).toEqual([factOf(1, text)]);
    expect(await store.list({ owner: 'ключ', user: '用户', limit: 5 })).toEqual([head]);
  });

  test('facts of a session that nobody knows, or that is gone, are refused and not kept for a later one', async () => {
    const store = await open();
    const append = async (id: string) => store.append(id, [factOf(1)]);
    await expect(append('nobody')).rejects.toMatchObject({ code: 'store-failed' });
    await expect(append('nobody')).rejects.toThrow('There is no session nobody');
    expect(await store.get('nobody')).toBeUndefined();
    await store.put(headOf('a', { endedAt: 1 }));
    await store.delete('a');
    await expect(append('a')).rejects.toThrow('There is no session a');
    // What others are given at the same moment is kept.
    await store.put(headOf('b'));
    const settled = await Promise.allSettled([append('nobody'), append('b')]);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    await store.put(headOf('nobody'));
    expect([await store.facts('nobody', 0), await store.facts('b', 0)]).toEqual([[], [factOf(1)]]);
  });

  test('many sessions at once: each has its own facts, in its own order', async () => {
    const store = await open();
    const ids = Array.from({ length: 30 }, (_, i) => `s${i}`);
    await Promise.all(
      ids.map(async (id) => {
        const doing: unknown[] = [store.put(headOf(id))];
        for (let seq = 1; seq <= 40; seq += 4)
          doing.push(
            store.append(
              id,
              [0, 1, 2, 3].map((i) => factOf(seq + i, id)),
            ),
          );
        doing.push(store.put(headOf(id, { endedAt: 9, facts: 40 })));
        await Promise.all(doing);
      }),
    );
    for (const id of ids) {
      expect(await store.facts(id, 0)).toEqual(Array.from({ length: 40 }, (_, i) => factOf(i + 1, id)));
      expect(await store.get(id)).toEqual(headOf(id, { endedAt: 9, facts: 40 }));
    }
  });
}

/** What lasts keeps more than sessions, and may be closed. */
export function keepsAll(open: () => Store | Promise<Store>): void {
  keepsSessions(open);
  keepsNotes(async () => (await open()).notes);

  test('who reads sees what they have written, whether they waited for it or not', async () => {
    const store = await open();
    void store.put(headOf('a'));
    void store.append('a', [factOf(1)]);
    expect(await store.facts('a', 0)).toEqual([factOf(1)]);
    void store.pauses.put('a', pausedOf('x'));
    expect(await store.pauses.get('a')).toEqual(pausedOf('x'));
  });

  test('what is written waits for nobody who reads', async () => {
    const store = await open();
    await store.put(headOf('a'));
    const done: string[] = [];
    const reads = Array.from({ length: 40 }, async () => {
      await store.list({ limit: 20 });
      done.push('read');
    });
    await store.append('a', [factOf(1)]);
    done.push('written');
    await Promise.all(reads);
    expect(done.indexOf('written')).toBe(0);
  });

  test('a fact of megabytes, and a thousand at once', async () => {
    const store = await open();
    await store.put(headOf('a'));
    const large = factOf(1, 'é'.repeat(5_000_000));
    await store.append('a', [large]);
    const many = Array.from({ length: 1_000 }, (_, i) => factOf(i + 2, 'x'.repeat(2_000)));
    await store.append('a', many);
    await store.append('a', [large, large]);
    expect(await store.facts('a', 0, 1)).toEqual([large]);
    expect((await store.facts('a', 1, 1_000)).map(({ seq }) => seq)).toEqual(many.map(({ seq }) => seq));
    expect((await store.facts('a', 0)).length).toBe(1_003);
    expect(await store.facts('a', 1_001)).toEqual([large, large]);
  });

  test('whoever reads while it is written sees a beginning of it, without a hole', async () => {
    const store = await open();
    await store.put(headOf('a'));
    let isDone = false;
    const writing = (async () => {
      for (let seq = 1; seq <= 200; seq += 2) await store.append('a', [factOf(seq), factOf(seq + 1)]);
      isDone = true;
    })();
    while (!isDone) {
      const seqs = (await store.facts('a', 0)).map(({ seq }) => seq);
      expect(seqs).toEqual(seqs.map((_, i) => i + 1));
      expect(seqs.length % 2).toBe(0);
    }
    await writing;
  });

  test('a session that waits is kept, and fetched once', async () => {
    const { pauses } = await open();
    expect(await pauses.get('h')).toBeUndefined();
    expect(await pauses.delete('h')).toBe(false);
    await pauses.put('h', pausedOf('first'));
    await pauses.put('h', pausedOf('second 👍'));
    expect(await pauses.get('h')).toEqual(pausedOf('second 👍'));
    const deleted = await Promise.all(Array.from({ length: 10 }, () => pauses.delete('h')));
    expect(deleted.filter((wasThere) => wasThere).length).toBe(1);
    expect(await pauses.get('h')).toBeUndefined();
  });

  test('what waits goes with its session: that of every round, and of those below', async () => {
    const store = await open();
    const own = ['a', 'a-2', 'a~1.2', 'a-2~1.1~3.2.1', 'a-12'];
    const others = ['b', 'ab', 'a-b', 'a-2b', 'A'];
    for (const handle of [...own, ...others]) await store.pauses.put(handle, pausedOf(handle));
    await store.put(headOf('a', { status: 'needs_user_input', endedAt: 5, resume: 'a-2' }));
    await store.delete('a');
    for (const handle of own) expect(await store.pauses.get(handle), handle).toBeUndefined();
    for (const handle of others) expect(await store.pauses.get(handle), handle).toEqual(pausedOf(handle));
  });

  test('what has the shape of a key is not written', async () => {
    const store = await open();
    const key = `sk-${'a1B2c3D4e5'.repeat(4)}`;
    await store.put(headOf('a', { title: `with ${key} in it` }));
    await store.pauses.put('a', pausedOf(key));
    await store.notes.put('n', { [key]: key }, Date.now() + 60_000);
    await store.notes.claim('c', { [key]: key }, Date.now() + 60_000);
    expect((await store.get('a'))?.title).toBe('with *** in it');
    expect(await store.pauses.get('a')).toEqual(pausedOf('***'));
    for (const name of ['n', 'c']) expect(await store.notes.get(name)).toEqual({ '***': '***' });
  });

  test('a picture stays one, though it may look like a key somewhere', async () => {
    const store = await open();
    const data = `/AIza${'Abcdefg7'.repeat(4_000)}`;
    const file = { type: 'file', mediaType: 'image/png', data };
    const paused = { ...pausedOf(`sk-${'a1B2c3D4e5'.repeat(4)}`), messages: [{ role: 'user', content: [file] }] };
    await store.pauses.put('a', paused as unknown as Paused);
    expect(await store.pauses.get('a')).toEqual({ ...paused, agentName: '***' });
  });

  test('a fact that is nested deeper than a stack is kept as far as it goes', async () => {
    const store = await open();
    let deep: unknown = 'x';
    for (let i = 0; i < 100_000; i++) deep = [deep];
    await store.put(headOf('a'));
    await store.append('a', [{ ...factOf(1), deep } as never, factOf(2)]);
    expect((await store.facts('a', 0)).map(({ seq }) => seq)).toEqual([1, 2]);
  });

  test('closing keeps what was given before, and refuses what comes after', async () => {
    const store = await open();
    const given = [store.put(headOf('a')), store.append('a', [factOf(1)]), store.put(headOf('a', { endedAt: 1 }))];
    const closing = store.close();
    await expect(store.append('a', [factOf(2)])).rejects.toMatchObject({ code: 'store-failed' });
    await Promise.all(given);
    await closing;
    await store.close();
    await expect(store.get('a')).rejects.toThrow('is closed');
  });
}

/** What every store of notes keeps to, also one in memory. */
export function keepsNotes(open: () => NoteStore | Promise<NoteStore>): void {
  test('notes are there until their time is over', async () => {
    const notes = await open();
    await notes.put('n', { some: ['thing', null, 1.5] }, Date.now() + 60_000);
    expect(await notes.get('n')).toEqual({ some: ['thing', null, 1.5] });
    await notes.put('n', 'other', Date.now() + 150);
    expect(await notes.get('n')).toBe('other');
    await expect.poll(() => notes.get('n')).toBeUndefined();
    await notes.put('n', false, Date.now() + 60_000);
    expect(await notes.get('n')).toBe(false);
    await notes.delete('n');
    expect(await notes.get('n')).toBeUndefined();
  });

  test('names are found by their beginning, letter by letter', async () => {
    const notes = await open();
    const until = Date.now() + 60_000;
    const names = [
      'a',
      'a%',
      'a%b',
      'a_',
      'a_b',
      'axb',
      'A',
      'Ab',
      'é',
      'éa',
      'e',
      '👍',
      '👍🏽',
      '👎',
      'a\\',
      'a"b',
      'a\nb',
    ];
    for (const name of names) await notes.put(name, 1, until);
    for (const prefix of ['', ...names, 'ab', 'a\\n', '_', '%', 'b', 'É', '\u{10ffff}']) {
      const wanted = names.filter((name) => name.startsWith(prefix)).sort(compareNames);
      expect(await notes.names(prefix, 100), prefix).toEqual(wanted);
    }
    expect(await notes.names('a_', 100)).toEqual(['a_', 'a_b']);
    expect(await notes.names('A', 100)).toEqual(['A', 'Ab']);
  });

  test('names are in the order of their characters, and no more of them than wanted', async () => {
    const notes = await open();
    const ordered = ['n', 'n\n', 'n ', 'n"', 'n%', 'n-1', 'n10', 'n9', 'nA', 'nZ', 'n\\', 'n_', 'na', 'nz', 'né'];
    // In UTF-16 an emoji is made of lesser signs than the letters before it.
    const last = ['n\ud7ff', 'n\ue000', 'nｚ', 'n\uffff', 'n👍', 'n👍a', 'n\u{10ffff}', 'n\u{10ffff}a'];
    const all = [...ordered, ...last];
    for (const name of [...all].reverse()) await notes.put(name, 1, Date.now() + 60_000);
    for (const name of ['m', 'm\u{10ffff}', 'o', 'N']) await notes.put(name, 1, Date.now() + 60_000);
    expect(await notes.names('n', 100)).toEqual(all);
    for (const limit of [1, 2, 3, 12, all.length]) expect(await notes.names('n', limit)).toEqual(all.slice(0, limit));
    expect(await notes.names('n\u{10ffff}', 100)).toEqual(all.slice(-2));
    expect(await notes.names('', Number.MAX_SAFE_INTEGER)).toHaveLength(all.length + 4);
    for (const limit of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
      await expect(async () => notes.names('n', limit)).rejects.toThrow('a limit of at least 1');
  });

  test('a name whose time is over, or that was deleted, is none, and takes no place', async () => {
    const notes = await open();
    const until = Date.now() + 60_000;
    for (const name of ['n1', 'n3', 'n5']) await notes.put(name, 1, until);
    for (const name of ['n0', 'n2', 'n4']) await notes.put(name, 1, Date.now() - 1);
    await notes.put('n6', 1, until);
    await notes.delete('n3');
    expect(await notes.names('n', 2)).toEqual(['n1', 'n5']);
    expect(await notes.names('n', 9)).toEqual(['n1', 'n5', 'n6']);
    await notes.put('n1', 1, Date.now() + 100);
    await expect.poll(() => notes.names('n', 9)).toEqual(['n5', 'n6']);
  });

  test('a claim is for one, until it is deleted or its time is over', async () => {
    const notes = await open();
    const until = () => Date.now() + 60_000;
    const claims = await Promise.all(Array.from({ length: 20 }, (_, i) => notes.claim('n', { by: i }, until())));
    expect(claims.filter((isOurs) => isOurs).length).toBe(1);
    expect(await notes.get('n')).toEqual({ by: claims.indexOf(true) });
    expect(await notes.claim('n', 'late', until())).toBe(false);
    expect(await notes.claim('N', 'other', until())).toBe(true);
    await notes.delete('n');
    expect(await notes.claim('n', 'deleted', until())).toBe(true);
    expect(await notes.get('n')).toBe('deleted');
    await notes.put('n', 'short', Date.now() + 100);
    expect(await notes.claim('n', 'early', until())).toBe(false);
    expect(await notes.get('n')).toBe('short');
    await expect.poll(() => notes.claim('n', 'over', until())).toBe(true);
    expect([await notes.get('n'), await notes.names('n', 9)]).toEqual(['over', ['n']]);
  });

  test('what was put is not claimed, and what was claimed is put over', async () => {
    const notes = await open();
    const until = Date.now() + 60_000;
    // Nobody waits in between.
    const [, isOurs] = await Promise.all([notes.put('n', 'put', until), notes.claim('n', 'claimed', until)]);
    expect([isOurs, await notes.get('n')]).toEqual([false, 'put']);
    const [, isFree] = await Promise.all([notes.delete('n'), notes.claim('n', null, until)]);
    expect([isFree, await notes.get('n')]).toEqual([true, null]);
    // Nothing is a note as well.
    expect(await notes.claim('n', 'late', until)).toBe(false);
    await notes.put('n', 'put', until);
    expect(await notes.get('n')).toBe('put');
  });
}

/** Of several owners, users, agents and ends; three of each moment. */
function variedHeads(): readonly SessionHead[] {
  return Array.from({ length: 48 }, (_, i) =>
    headOf(`s${i}`, {
      createdAt: 100 + Math.floor(i / 3),
      owner: [null, 'ada', 'bob'][i % 3] as string | null,
      ...(i % 4 === 0 ? { user: `u${i % 8}` } : {}),
      agent: i % 5 === 0 ? 'rare' : 'echo',
      headend: i % 2 === 0 ? 'rest' : 'mcp',
      ...(i % 6 === 0 ? {} : { endedAt: 500, status: i % 7 === 0 ? ('failed' as const) : ('completed' as const) }),
    }),
  );
}

function pausedOf(agentName: string): Paused {
  return { agentName, args: {}, messages: [] } as unknown as Paused;
}

async function idsByPages(store: SessionStore, query: Omit<SessionQuery, 'limit'>): Promise<readonly string[]> {
  const ids: string[] = [];
  for (;;) {
    const before = ids.at(-1);
    const page = await store.list({ ...query, limit: 5, ...(before === undefined ? {} : { before }) });
    ids.push(...page.map(({ id }) => id));
    if (page.length < 5) return ids;
  }
}

function fits(head: SessionHead, { owner, user, agent, headend, statuses, since, until }: Omit<SessionQuery, 'limit'>) {
  return (
    (owner === undefined || head.owner === owner) &&
    (user === undefined || (head.user ?? null) === user) &&
    (agent === undefined || head.agent === agent) &&
    (headend === undefined || head.headend === headend) &&
    (statuses === undefined || statuses.includes(head.status)) &&
    head.createdAt >= (since ?? 0) &&
    head.createdAt < (until ?? Number.POSITIVE_INFINITY)
  );
}
