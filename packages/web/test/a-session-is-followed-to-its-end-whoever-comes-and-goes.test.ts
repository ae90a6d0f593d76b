// A session as the page follows it, without a browser: one stream at a time, none left open, and nothing old over something new.

import { type Agent, AIAgentSession, type Fact, type Ledger, ledgerOf } from '@ai-agent/core';
import { fakePorts, scriptedModel } from '@ai-agent/core/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Api } from '../src/server/api.ts';
import type { Standing } from '../src/server/documents.ts';
import { makeManyFacts } from './support/many-facts.ts';

// Loaded by name: their types need those of a browser, which tests do not have.
const load = (file: string) => import(new URL(`../src/${file}`, import.meta.url).href);
const { SessionView } = (await load('session/session-view.ts')) as {
  readonly SessionView: new (api: Api, id: string, standing: Standing | undefined) => View;
};
const { Entries } = (await load('chat/entries.ts')) as {
  readonly Entries: new () => {
    of(
      picture: unknown,
      sent: undefined,
    ): readonly { readonly answer?: { readonly state: { readonly type: string } } }[];
  };
};
const { follow } = (await load('server/event-stream.ts')) as {
  readonly follow: (options: object) => AsyncIterable<unknown>;
};

interface View {
  subscribe(listener: () => void): () => void;
  changed(standing: Standing): void;
  ledger(): Ledger;
  picture(): {
    readonly rounds: readonly { readonly number: number }[];
    readonly standing?: Standing;
    readonly connection: string;
    readonly failure?: { readonly code: string };
  };
}

const running: Standing = { id: 's1', agent: 'note', status: 'running', createdAt: 1, rounds: 1 };
const over: Standing = { ...running, status: 'completed' };

test('who comes back at once is told all of it', async () => {
  const { view, streams } = open(over);
  view.subscribe(() => {})();
  const leave = view.subscribe(() => {});
  await expect.poll(() => streams.filter(({ isOpen }) => isOpen).length).toBe(1);
  streams.at(-1)?.end({ ...over, title: 'All of it' });
  await expect.poll(() => view.picture().standing?.title).toBe('All of it');
  leave();
});

test('who leaves leaves no stream, timer or listener behind', async () => {
  const { view, streams, listeners } = open(running);
  const leave = view.subscribe(() => {});
  await expect.poll(() => streams.length).toBe(1);
  leave();
  await expect.poll(() => streams.filter(({ isOpen }) => isOpen).length).toBe(0);
  expect(listeners.size).toBe(0);
});

test('how it stood before it went on is not told as how it stands now', async () => {
  const { view, streams, answers, look, leave } = await openAtRest();
  const late = Promise.withResolvers<Standing>();
  answers.push(late.promise);
  look();
  view.changed({ ...running, rounds: 2 });
  await expect.poll(() => streams.length).toBe(2);
  late.resolve({ ...over, rounds: 1, status: 'failed' });
  await late.promise;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(view.picture().standing).toEqual({ ...running, rounds: 2 });
  leave();
});

test('a server that was away when it was opened is asked again, and then nothing is wrong', async () => {
  const { view, streams, answers, look } = open(undefined);
  answers.push(Promise.reject(new TypeError('Failed to fetch')), Promise.resolve(over));
  const leave = view.subscribe(() => {});
  await expect.poll(() => view.picture().failure?.code).toBe('unreachable');
  look();
  await expect.poll(() => streams.length).toBe(1);
  streams[0]?.end(over);
  await expect.poll(() => view.picture().connection).toBe('over');
  expect(view.picture().failure).toBeUndefined();
  leave();
});

test('a server that is slow is not asked again before it has answered', async () => {
  const { answers, look, leave } = await openAtRest();
  const late = Promise.withResolvers<Standing>();
  answers.push(late.promise, Promise.resolve({ ...over, status: 'failed' }));
  look();
  look();
  expect(answers.length).toBe(1);
  late.resolve(over);
  leave();
});

test('a connection where nothing comes any more is given up, and opened again', async () => {
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('removeEventListener', () => {});
  onTestFinished(() => void vi.unstubAllGlobals());
  const told: string[] = [];
  const closing = new AbortController();
  const bodies: ReadableStream[] = [];
  const silent = () => {
    const body = new ReadableStream({ start: () => {} });
    bodies.push(body);
    return Promise.resolve(new Response(body));
  };
  const options = {
    open: silent,
    signal: closing.signal,
    silenceMs: 20,
    onConnection: (now: string) => told.push(now),
  };
  const reading = (async () => {
    for await (const _ of follow(options)) expect.unreachable();
  })();
  await expect.poll(() => bodies.length).toBe(2);
  expect(told.slice(0, 2)).toEqual(['live', 'lost']);
  closing.abort();
  await reading;
});

test('a round that never began is counted, as the server does, and none is waited for behind the last', async () => {
  const { view, streams } = open({ ...running, rounds: 3 });
  const leave = view.subscribe(() => {});
  await expect.poll(() => streams.length).toBe(1);
  for (const id of ['s1', 's1-3']) for (const fact of makeManyFacts(id, 0).facts) streams[0]?.tell(fact);
  await expect.poll(() => view.picture().rounds.map(({ number }) => number)).toEqual([1, 3]);
  expect(new Entries().of(view.picture(), undefined).length).toBe(4);
  leave();
});

test('how one ended is not told before that has been read', async () => {
  const { view, streams } = open({ ...over, status: 'failed' });
  const leave = view.subscribe(() => {});
  await expect.poll(() => streams.length).toBe(1);
  const state = () => new Entries().of(view.picture(), undefined).at(-1)?.answer?.state;
  expect(state()).toBeUndefined();
  streams[0]?.tell(makeManyFacts('s1', 0).facts[0]);
  await expect.poll(() => state()?.type).toBe('at-work');
  streams[0]?.end({ ...over, status: 'failed' });
  await expect.poll(() => state()?.type).toBe('over');
  leave();
});

test('a store that has caught up is told', async () => {
  const { view, streams, answers, look } = open({ ...over, isKept: false });
  const leave = view.subscribe(() => {});
  await expect.poll(() => streams.length).toBe(1);
  streams[0]?.end({ ...over, isKept: false });
  await expect.poll(() => view.picture().connection).toBe('over');
  answers.push(Promise.resolve(over));
  look();
  await expect.poll(() => view.picture().standing).toEqual(over);
  leave();
});

test('what the page cannot read is not told as a server that does not answer', async () => {
  const { view, streams } = open(running);
  const leave = view.subscribe(() => {});
  await expect.poll(() => streams.length).toBe(1);
  streams[0]?.tell({ kind: 'fact', type: 'session-start' });
  await expect.poll(() => view.picture().failure?.code).toMatch(/^TypeError/);
  leave();
});

test('a call that its process has left behind counts as it does on the server, and once if it ends all the same', async () => {
  const agent: Agent = { name: 'note', description: '', instructions: '', model: scriptedModel(['Yes.']) };
  const facts: Fact[] = [];
  for await (const event of new AIAgentSession({ agent, ports: fakePorts() }).run('Is it?').events)
    if (event.kind === 'fact') facts.push(event);
  const cut = facts.findIndex(({ type }) => type === 'model-end');
  const { view, streams } = open(running);
  const leave = view.subscribe(() => {});
  await expect.poll(() => streams.length).toBe(1);
  for (const fact of facts.slice(0, cut)) streams[0]?.tell(fact);
  await expect.poll(() => view.ledger().entries.length + Object.keys(view.ledger().bySession).length).toBe(1);
  streams[0]?.end({ ...running, status: 'interrupted' });
  await expect.poll(() => view.picture().connection).toBe('over');
  expect(view.ledger()).toEqual(ledgerOf(facts.slice(0, cut), { isOver: true }));
  expect(view.ledger().total).toMatchObject({ modelCalls: 1, unknownCostCalls: 1 });
  view.changed(running);
  await expect.poll(() => streams.length).toBe(2);
  for (const fact of facts.slice(cut)) streams[1]?.tell(fact);
  streams[1]?.end(over);
  await expect.poll(() => view.picture().standing?.status).toBe('completed');
  expect(view.ledger()).toEqual(ledgerOf(facts));
  leave();
});

/** One that is over, as somebody has read it to its end. */
async function openAtRest() {
  const opened = open(over);
  const { view, streams } = opened;
  const leave = view.subscribe(() => {});
  await expect.poll(() => streams.length).toBe(1);
  streams[0]?.end(over);
  await expect.poll(() => view.picture().connection).toBe('over');
  return { ...opened, leave };
}

/** A view over a server whose answers a test gives. */
function open(standing: Standing | undefined) {
  const listeners = new Set<() => void>();
  const streams: Stream[] = [];
  const answers: Promise<Standing>[] = [];
  vi.stubGlobal('document', {
    visibilityState: 'visible',
    addEventListener: (_: string, listener: () => void) => listeners.add(listener),
    removeEventListener: (_: string, listener: () => void) => listeners.delete(listener),
  });
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => setTimeout(draw));
  vi.stubGlobal('fetch', async (address: URL, { signal }: RequestInit) => {
    if (!address.pathname.endsWith('/events')) return Response.json(await (answers.shift() ?? standing));
    const stream = new Stream(signal ?? undefined);
    streams.push(stream);
    return new Response(stream.body);
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const view = new SessionView(new Api(new URL('http://server.test/')), 's1', standing);
  const look = () => {
    for (const listener of listeners) listener();
  };
  return { view, streams, answers, listeners, look };
}

class Stream {
  readonly body: ReadableStream<Uint8Array>;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  isOpen = true;

  constructor(signal: AbortSignal | undefined) {
    this.body = new ReadableStream({
      start: (controller) => {
        this.#controller = controller;
      },
    });
    signal?.addEventListener('abort', () => {
      this.isOpen = false;
      this.#controller?.error(signal.reason);
    });
  }

  tell(fact: unknown, type = 'fact'): void {
    this.#controller?.enqueue(new TextEncoder().encode(`event: ${type}\ndata: ${JSON.stringify(fact)}\n\n`));
  }

  end(standing: Standing): void {
    this.isOpen = false;
    this.tell(standing, 'end');
  }
}
