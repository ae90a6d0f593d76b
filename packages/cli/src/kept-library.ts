// A session of a program that is kept: written down while it runs, or gone on with from where it was.

import {
  AgentError,
  type AgentEvent,
  type AIAgentSession,
  type AIAgentSessionConfig,
  firstRound,
  isObject,
  type JsonObject,
  type KeptRound,
  nextRound,
  type Outcome,
  type PauseStore,
  type Ports,
  type SessionHead,
  type SessionRun,
  type SessionStore,
  toFailure,
} from '@ai-agent/core';
import { checkSaid } from './check-said.ts';

/** What a program says of where its sessions are kept. */
export interface Keeping {
  /** Where the session is kept: `openStore` of `ai-agent/store`, or one of your own. @default nowhere */
  readonly store?: SessionStore;
  /** The id of a session in the store: the prompt goes on with it, or answers its question. @default a new one */
  readonly session?: string;
  /** For whom it is: nobody else goes on with it. @default for the program itself */
  readonly user?: string;
  /** Told once when the store fails to keep some of it. The run goes on. @default nobody */
  readonly onUnkept?: (error: unknown) => void;
}

/** Throws `agent-invalid`: what is wrong here would be a session that nobody keeps, or another than the one that is meant. */
export function checkKeeping({ store, session, user }: Partial<Record<keyof Keeping, unknown>>, agent: string): void {
  const wrong = (problem: string) =>
    new AgentError('agent-invalid', `the session of ${agent}: ${problem}`, {
      remedy: 'Correct the options of the session; the message names the field.',
    });
  if (store !== undefined && !isStore(store))
    throw wrong('store must be a session store: what openStore of ai-agent/store gives, or one of your own');
  if (session !== undefined && typeof session !== 'string')
    throw wrong('session must be the id of a session, as a text');
  if (session !== undefined && store === undefined) throw wrong('session needs the store in which it is');
  if (user !== undefined && typeof user !== 'string') throw wrong('user must be a text');
}

const needed = ['put', 'claim', 'append', 'get', 'facts', 'list', 'delete'] as const satisfies (keyof SessionStore)[];

function isStore(store: unknown): boolean {
  return isObject(store) && needed.every((name) => typeof (store as Partial<SessionStore>)[name] === 'function');
}

/** Whose the sessions of a program are, so that no server on the same store takes them for those of its callers, nor it theirs. */
const ofLibrary = { owner: '@library', headend: 'library' } as const;

export interface KeptStart {
  readonly config: AIAgentSessionConfig & { readonly ports: Ports };
  readonly keeping: Keeping & { readonly store: SessionStore };
  readonly prompt: string | JsonObject;
  readonly make: (config: AIAgentSessionConfig) => Pick<AIAgentSession, 'run'>;
}

/** Its outcome rejects with `session-unknown` and the like when there is nothing to go on with. */
export function runKept(start: KeptStart): SessionRun {
  const { config, keeping, prompt } = start;
  const { agent, ports, sessionId, output, budget } = config;
  const texts = { ...config.texts, ...agent.texts };
  const { store, session, user, onUnkept = () => {} } = keeping;
  const ids = sessionId === undefined ? ports.ids : { next: () => sessionId };
  const keeper = { store, onBug: onUnkept, clock: ports.clock, ids, texts };
  if (session !== undefined) {
    const goOn = async () => {
      const head = await find(keeping, session, agent.name);
      checkSaid(agent, head, prompt);
      return nextRound(keeper, head, { prompt });
    };
    return toRun(session, start, goOn());
  }
  const about = { ...ofLibrary, agent: agent.name, ...(user === undefined ? {} : { user }) };
  const wanted = { ...(output ? { output } : {}), ...(budget ? { budget } : {}) };
  const round = firstRound(keeper, { ...about, ...wanted }, prompt);
  return toRun(round.head.id, start, round);
}

/** Only the agent itself goes on with what it has said. */
async function find({ store, user }: KeptStart['keeping'], id: string, agent: string): Promise<SessionHead> {
  const head = await store.get(id);
  if (head?.owner === ofLibrary.owner && head.user === user && head.agent === agent) return head;
  const whose = user === undefined ? '' : ` for ${user}`;
  throw new AgentError('session-unknown', `There is no session ${id} of ${agent}${whose} in the store.`, {
    remedy: 'Use the sessionId of an earlier outcome, with the same agent, the same store and the same user.',
  });
}

/** What is asked of it before it has begun is done as soon as it has. */
function toRun(id: string, start: KeptStart, opening: KeptRound | Promise<KeptRound>): SessionRun {
  const waiting: ((run: SessionRun) => void)[] = [];
  let begun: SessionRun | undefined;
  const whenBegun = (work: (run: SessionRun) => void) => (begun ? work(begun) : void waiting.push(work));
  const follow = (round: KeptRound): Promise<Outcome> => {
    try {
      begun = begin(round, start);
    } catch (error) {
      // One that cannot even begin is as it was before.
      const undone = round.undo(toFailure(error));
      if (round === opening) throw error;
      return undone.then(() => Promise.reject(error));
    }
    for (const work of waiting) work(begun);
    return ended(round, start, begun);
  };
  const outcome = opening instanceof Promise ? opening.then(follow) : follow(opening);
  return {
    sessionId: id,
    events: {
      [Symbol.asyncIterator]: () => {
        const { promise, resolve } = Promise.withResolvers<AsyncIterator<AgentEvent>>();
        whenBegun((run) => resolve(run.events[Symbol.asyncIterator]()));
        const over: IteratorResult<AgentEvent> = { done: true, value: undefined };
        // One that never begins has nothing to tell.
        const first = Promise.race([promise, outcome.then(() => promise)]).catch(() => undefined);
        return {
          next: async () => (await first)?.next() ?? over,
          return: async () => (await (await first)?.return?.()) ?? over,
        };
      },
    },
    outcome,
    stop: (limit) => whenBegun((run) => run.stop(limit)),
    stopBelow: (sessionId) => begun?.stopBelow(sessionId) ?? false,
    raise: (budget) => whenBegun((run) => run.raise(budget)),
    cancel: (reason) => whenBegun((run) => run.cancel(reason)),
    answer: (handle, answer) => whenBegun((run) => run.answer(handle, answer)),
    send: (sessionId, name, message) => whenBegun((run) => run.send(sessionId, name, message)),
  };
}

function begin({ given, head, prompt, onEvent }: KeptRound, { config, keeping, make }: KeptStart): SessionRun {
  const { history = [], continues, resume = config.resume, sessionId } = given;
  const { budget = head.budget, output = head.output } = config;
  return make({
    ...config,
    ...(budget ? { budget } : {}),
    ...(output ? { output } : {}),
    sessionId: sessionId as string,
    ...(resume === undefined ? {} : { resume }),
    history: [...history, ...(config.history ?? [])],
    ...(continues ? { continues } : {}),
    ports: withPauses(config.ports, keeping),
    onFact: (fact) => {
      onEvent(fact);
      return config.onFact?.(fact);
    },
  }).run(prompt);
}

/** A question that cannot be kept is asked all the same. */
function withPauses(ports: Ports, { store: { pauses }, onUnkept }: KeptStart['keeping']): Ports {
  if (!pauses) return ports;
  const kept: PauseStore = {
    put: async (handle, paused) => {
      try {
        await pauses.put(handle, paused);
      } catch (error) {
        onUnkept?.(error);
      }
    },
    get: (handle) => pauses.get(handle),
    delete: (handle) => pauses.delete(handle),
  };
  return { ...ports, pauses: kept };
}

/** Stores give up by themselves sooner; one that does not keeps nobody. */
const patienceMs = 10_000;

/** Whoever has the outcome finds it in the store. Over all rounds the session has one id. */
async function ended(round: KeptRound, { config: { ports } }: KeptStart, run: SessionRun): Promise<Outcome> {
  const outcome = await run.outcome;
  await new Promise<void>((resolve) => {
    const unset = ports.clock.after(patienceMs, resolve, true);
    round.end(outcome).then(() => {
      unset();
      resolve();
    });
  });
  const { id } = round.head;
  return id === outcome.sessionId ? outcome : withId(outcome, id);
}

/** Records are summed up when they are read. */
function withId(outcome: Outcome, sessionId: string): Outcome {
  const own = { sessionId: { value: sessionId, enumerable: true } };
  const { ledger, tree, conversations, ...rest } = Object.getOwnPropertyDescriptors(outcome);
  const renamed = {
    get: () => ({ ...outcome.conversations, [sessionId]: outcome.conversations[outcome.sessionId] ?? [] }),
  };
  return Object.defineProperties(
    {},
    { ...rest, ledger, tree, ...own, conversations: { ...renamed, enumerable: true } },
  ) as Outcome;
}
