// The Model Context Protocol as a door: a client of some kind on some way to the house, and what it is told read as it would read it.

import type { Json, JsonObject } from '@ai-agent/core';
import { expect, vi } from 'vitest';
import type { Elicit, Filled, Form, McpClient, SpokenKind } from '../support/mcp-clients.ts';
import type { McpRoute, ServedMcp } from '../support/mcp-routes.ts';
import type { Answered, Begun, Door, OpenDoor, Request } from './door.ts';
import { hallOf, readResult, toArguments } from './mcp-outcome.ts';
import { fromDocument } from './rest-door.ts';

interface McpDoor {
  readonly route: McpRoute;
  readonly kind: SpokenKind;
  /** Whether the client shows forms to a person; without, questions are answered by another call. */
  readonly canElicit: boolean;
  /** Whether it has lost its server when it answers, and what waited there with it: it connects again, and answers by another call. @default false */
  readonly reconnects?: boolean;
}

export function mcpDoor({ route, kind, canElicit, reconnects = false }: McpDoor): Door {
  return {
    name: `${kind.name} ${route.name}, ${canElicit ? 'with' : 'without'} forms`,
    cannot: { stream: 'a tool answers once' },
    async open(agents) {
      const house = await route.serve(hallOf(agents));
      const open = () => Conversation.open(house, kind, canElicit);
      return toOpenDoor(house, open, reconnects);
    },
  };
}

function toOpenDoor(house: ServedMcp, open: () => Promise<Conversation>, reconnects: boolean): OpenDoor {
  const all: Promise<Conversation>[] = [];
  const another = () => {
    const opened = open();
    all.push(opened);
    return opened;
  };
  // Those who only ask share a client, whose calls are then under way at once.
  let known: Promise<Conversation> | undefined;
  const shared = () => {
    known ??= another();
    return known;
  };
  const begin = (request: Request): Begun => {
    const own = another();
    const ended = new AbortController();
    const answered = own.then((one) => one.ask(request, ended.signal));
    answered.catch(() => {});
    return {
      answered,
      leave: () => void own.then((one) => one.drop()),
      cancel: async () => ended.abort(),
    };
  };
  const ask = async (request: Request) => (await shared()).ask(request);
  return {
    begin,
    ask,
    stream: async (request) => ({ pieces: [], answered: await ask(request) }),
    async answer(asked, answer) {
      const before = await shared();
      return reconnects ? (await another()).answer(asked, answer, before) : before.answer(asked, answer);
    },
    async close() {
      for (const one of await Promise.all(all)) await one.close();
      await house.close();
    },
  };
}

interface Shown {
  readonly form: Form;
  reply(filled: Filled): void;
}

interface Parked extends Shown {
  /** The call that waits for the answer. */
  readonly calling: Promise<Answered>;
}

/** What one client says and hears. */
class Conversation {
  readonly #client: McpClient;
  readonly #drop: () => void;
  readonly #asked: { hear: (shown: Shown) => void };
  readonly #agents = new Map<string, string>();
  readonly #parked = new Map<string, Parked>();

  private constructor(client: McpClient, drop: () => void, asked: { hear: (shown: Shown) => void }) {
    this.#client = client;
    this.#drop = drop;
    this.#asked = asked;
  }

  static async open(house: ServedMcp, kind: SpokenKind, canElicit: boolean) {
    const { transport, drop } = house.way(kind.sdk);
    const asked = { hear: (_: Shown) => {} };
    const elicit: Elicit = (form) => new Promise((reply) => asked.hear({ form, reply }));
    const client = await kind.connect(transport, ...(canElicit ? [elicit] : []));
    expect(client.revision).toBe(kind.speaks);
    return new Conversation(client, drop, asked);
  }

  async ask(request: Request, signal?: AbortSignal): Promise<Answered> {
    const { agent } = request;
    const calling = this.#call(agent, toArguments(request), signal).catch((error) => {
      if (signal?.aborted) return this.#endOf('cancelled');
      throw error;
    });
    const answered = await this.#untilAsked(calling);
    this.#agents.set(answered.sessionId, agent);
    return answered;
  }

  /** In the form that waits for it, or where none does by another call. */
  async answer({ sessionId }: Answered, answer: Json, asker: Conversation = this): Promise<Answered> {
    const parked = this.#parked.get(sessionId);
    const agent = asker.#agents.get(sessionId) ?? '';
    if (!parked) return this.#untilAsked(this.#call(agent, { resume: sessionId, answer }));
    this.#parked.delete(sessionId);
    const next = this.#untilAsked(parked.calling);
    parked.reply({ action: 'accept', content: fillIn(parked.form, answer) });
    const answered = await next;
    const again = this.#parked.get(sessionId)?.form.message;
    // One of other words is the next question.
    return again?.endsWith(parked.form.message) ? refusedBy(again, parked.form.message, sessionId) : answered;
  }

  drop(): void {
    this.#drop();
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  async #call(agent: string, args: JsonObject, signal?: AbortSignal): Promise<Answered> {
    // Whoever has seen what is promised insists on it.
    const tool = (await this.#client.listTools()).find(({ name }) => name === agent) ?? { name: agent };
    const { revision } = this.#client;
    return readResult(await this.#client.callTool(agent, args, signal), { ...tool, revision });
  }

  async #untilAsked(calling: Promise<Answered>): Promise<Answered> {
    const shown = Promise.withResolvers<Shown>();
    this.#asked.hear = shown.resolve;
    const first = await Promise.race([calling, shown.promise]);
    if (!('form' in first)) return first;
    const asked = await this.#endOf('needs_user_input');
    this.#parked.set(asked.sessionId, { calling, ...first });
    return { ...asked, question: toWords(first.form) };
  }

  /** Of the run that ended like this: a client whose call has no result reads it among the runs that have ended. */
  #endOf(status: Answered['status']): Promise<Answered> {
    return vi.waitFor(async () => {
      const addresses = await this.#client.listResources();
      const runs = await Promise.all(addresses.map((uri) => this.#client.readResource(`${uri}/document`)));
      const found = runs.map((run) => fromDocument(JSON.parse(run))).find((run) => run.status === status);
      if (!found) throw new Error(`No run has ended as ${status}.`);
      return found;
    }, patience);
  }
}

const patience = { timeout: 10_000, interval: 20 };

/** Where a person answers, the same form comes again, and above it what is wrong with what was said. */
function refusedBy(again: string, before: string, sessionId: string): Answered {
  expect(again, 'the same is asked again, and why').not.toBe(before);
  const message = again.slice(0, -before.length);
  const failure = { class: 'usage', message, remedy: 'Answer again, in the form.' } as const;
  return { status: 'failed', text: '', sessionId, failure };
}

/** Leave is given with a switch, and everything else in words. */
function fillIn({ requestedSchema: { properties } }: Form, answer: Json): Filled['content'] {
  return 'approved' in properties ? { approved: answer === 'yes' } : { answer: String(answer) };
}

function toWords({ message, requestedSchema }: Form): string {
  return [message, JSON.stringify(requestedSchema)].join('\n');
}
