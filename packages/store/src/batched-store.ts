// A store over whoever keeps what it is asked, batch after batch: the same for every database.

import {
  AgentError,
  type Fact,
  type Json,
  limitOf,
  type NoteStore,
  type Paused,
  type PauseStore,
  type SessionHead,
  type SessionQuery,
} from '@ai-agent/core';
import type { Ask, FactsPage, Value } from './ask.ts';
import { Batches, type Perform } from './batches.ts';
import type { Store } from './store.ts';
import { toFactJson, toHeadRow, toJson } from './to-json.ts';

/** Keeps what is asked. */
export interface Keep {
  readonly perform: Perform;
  /** Nothing is under way any more, and nothing comes after it. */
  close(): Promise<void>;
}

export class BatchedStore implements Store {
  readonly place: string;
  readonly pauses: PauseStore;
  readonly notes: NoteStore;
  readonly #keep: Keep;
  readonly #batches: Batches;
  #closing: Promise<void> | undefined;

  constructor(keep: Keep, place: string) {
    this.place = place;
    this.#keep = keep;
    this.#batches = new Batches(keep.perform, place);
    this.pauses = this.#openPauses();
    this.notes = this.#openNotes();
  }

  async put(head: SessionHead): Promise<void> {
    const row = toHeadRow(head);
    await this.#ask({ do: 'put', head: row }, row.json.length);
  }

  async claim(head: SessionHead): Promise<boolean> {
    const row = toHeadRow(head);
    return (await this.#ask({ do: 'claim', head: row }, row.json.length)) === true;
  }

  async append(id: string, facts: readonly Fact[]): Promise<void> {
    this.#batches.checkRoom();
    let size = 0;
    const texts: string[] = [];
    for (const fact of facts) {
      const text = toFactJson(fact);
      size += text.length;
      texts.push(text);
    }
    await this.#ask({ do: 'append', id, facts: texts }, size);
  }

  async get(id: string): Promise<SessionHead | undefined> {
    return read<SessionHead>(await this.#ask({ do: 'get', id }));
  }

  async facts(id: string, after: number, limit = Number.MAX_SAFE_INTEGER): Promise<readonly Fact[]> {
    const facts: Fact[] = [];
    while (facts.length < limit) {
      const asked = { id, after: after + facts.length, limit: limit - facts.length };
      const page = (await this.#ask({ do: 'facts', ...asked })) as FactsPage;
      for (const text of page.facts) facts.push(JSON.parse(text) as Fact);
      if (page.isLast) break;
    }
    return facts;
  }

  async list(query: SessionQuery): Promise<readonly SessionHead[]> {
    const limit = limitOf(query);
    const found = (await this.#ask({ do: 'list', query: { ...query, limit } })) as readonly string[];
    return found.map((text) => JSON.parse(text) as SessionHead);
  }

  async delete(id: string): Promise<boolean> {
    return (await this.#ask({ do: 'delete', id })) === true;
  }

  close(): Promise<void> {
    this.#closing ??= this.#batches.whenIdle().then(() => this.#keep.close());
    return this.#closing;
  }

  #openPauses(): PauseStore {
    return {
      put: async (handle, paused) => {
        this.#batches.checkRoom();
        const json = toJson(paused);
        await this.#ask({ do: 'put-pause', handle, json }, json.length);
      },
      get: async (handle) => read<Paused>(await this.#ask({ do: 'get-pause', handle })),
      delete: async (handle) => (await this.#ask({ do: 'delete-pause', handle })) === true,
    };
  }

  #openNotes(): NoteStore {
    return {
      put: async (name, value, untilMs) => {
        this.#batches.checkRoom();
        const json = toJson(value);
        await this.#ask({ do: 'put-note', name, json, untilMs }, json.length);
      },
      claim: async (name, value, untilMs) => {
        this.#batches.checkRoom();
        const json = toJson(value);
        return (await this.#ask({ do: 'claim-note', name, json, untilMs }, json.length)) === true;
      },
      get: async (name) => read<Json>(await this.#ask({ do: 'get-note', name })),
      names: async (prefix, limit) => {
        const asked = { prefix, limit: limitOf({ limit }) };
        return (await this.#ask({ do: 'list-notes', ...asked })) as readonly string[];
      },
      delete: async (name) => void (await this.#ask({ do: 'delete-note', name })),
    };
  }

  async #ask(ask: Ask, size = 0): Promise<Value> {
    if (this.#closing) throw new AgentError('store-failed', `The store ${this.place} is closed.`);
    return this.#batches.ask(ask, size);
  }
}

function read<T>(value: Value): T | undefined {
  return typeof value === 'string' ? (JSON.parse(value) as T) : undefined;
}
