// Heads and facts in their tables. Each of these is one step of a transaction that whoever calls has begun.

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { SessionHead } from '@ai-agent/core';
import { type FactsPage, type HeadRow, pageOfFacts } from '../ask.ts';
import { StoreRefusal } from './failure.ts';
import { factsPerSession } from './migrations.ts';

interface Kept {
  readonly number: number;
  readonly status: string;
  readonly resumptions: number;
  readonly writer: string;
  readonly facts: number;
}

export class SessionsTable {
  readonly #writer: string;
  readonly #find: StatementSync;
  readonly #insert: StatementSync;
  readonly #update: StatementSync;
  readonly #count: StatementSync;
  readonly #reopen: StatementSync;
  readonly #head: StatementSync;
  readonly #addFact: StatementSync;
  readonly #readFacts: StatementSync;
  readonly #remove: StatementSync;
  readonly #doom: StatementSync;
  readonly #handles: StatementSync;
  readonly #removePause: StatementSync;

  constructor(db: DatabaseSync, writer: string) {
    this.#writer = writer;
    this.#find = db.prepare('SELECT number, status, resumptions, writer, facts FROM sessions WHERE id = ?');
    this.#insert = db.prepare(
      'INSERT INTO sessions (owner, user, agent, headend, status, created_at, ended_at, resumptions, writer, head, id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    );
    this.#update = db.prepare(
      'UPDATE sessions SET owner = ?, user = ?, agent = ?, headend = ?, status = ?, created_at = ?, ended_at = ?, resumptions = ?, writer = ?, head = ? WHERE id = ?',
    );
    this.#count = db.prepare('UPDATE sessions SET facts = ?, bytes = bytes + ? WHERE number = ?');
    this.#reopen = db.prepare("UPDATE sessions SET status = 'running', ended_at = NULL, head = ? WHERE number = ?");
    this.#head = db.prepare('SELECT head FROM sessions WHERE id = ?');
    this.#addFact = db.prepare('INSERT INTO facts (key, json) VALUES (?, ?)');
    this.#readFacts = db.prepare('SELECT json FROM facts WHERE key > ? AND key <= ? ORDER BY key');
    this.#remove = db.prepare('DELETE FROM sessions WHERE number = ?');
    this.#doom = db.prepare('INSERT INTO doomed (session) VALUES (?)');
    this.#handles = db.prepare('SELECT handle FROM pauses WHERE handle >= ? AND handle < ?');
    this.#removePause = db.prepare('DELETE FROM pauses WHERE handle = ?');
  }

  /** A process that was slow must not undo what another has written since. */
  put(head: HeadRow): void {
    const kept = this.#get(head.id);
    const isTheirs = kept && kept.writer !== this.#writer && (isUnderWay(kept) || kept.resumptions > head.resumptions);
    if (isTheirs) throw taken(head.id);
    this.#write(kept ? this.#update : this.#insert, head);
  }

  claim(head: HeadRow): boolean {
    const kept = this.#get(head.id);
    if (!kept || isUnderWay(kept) || kept.resumptions !== head.resumptions - 1) return false;
    this.#write(this.#update, head);
    return true;
  }

  /** Who writes it, when somebody else does at this moment. */
  otherWriter(id: string): string | undefined {
    const kept = this.#get(id);
    return kept && isUnderWay(kept) && kept.writer !== this.#writer ? kept.writer : undefined;
  }

  append(id: string, facts: readonly string[]): void {
    const kept = this.#get(id);
    if (!kept) throw unknown(id);
    if (facts.length === 0) return;
    if (kept.writer !== this.#writer) throw taken(id);
    // The next key would be one of the next session.
    if (kept.facts + facts.length >= factsPerSession) throw tooMany(id);
    if (kept.status === 'interrupted') this.#comeBack(id, kept);
    let key = kept.number * factsPerSession + kept.facts;
    let bytes = 0;
    for (const fact of facts) {
      this.#addFact.run(++key, fact);
      bytes += fact.length;
    }
    this.#count.run(kept.facts + facts.length, bytes, kept.number);
  }

  get(id: string): string | null {
    return (this.#head.get(id)?.head as string | undefined) ?? null;
  }

  facts(id: string, after: number, limit: number): FactsPage {
    const kept = this.#get(id);
    const end = Math.min(after + limit, kept?.facts ?? 0);
    if (!kept || after >= end) return { facts: [], isLast: true };
    const base = kept.number * factsPerSession;
    const facts: string[] = [];
    let size = 0;
    for (const row of this.#readFacts.iterate(base + after, base + end)) {
      const json = row.json as string;
      facts.push(json);
      size += json.length;
      if (size >= pageOfFacts) break;
    }
    return { facts, isLast: after + facts.length >= end || facts.length === 0 };
  }

  delete(id: string): boolean {
    const kept = this.#get(id);
    if (!kept || isUnderWay(kept)) return false;
    this.#remove.run(kept.number);
    if (kept.facts > 0) this.#doom.run(kept.number);
    for (const { handle } of this.#handles.all(id, `${id}\u{10ffff}`))
      if (isOf(id, handle as string)) this.#removePause.run(handle as string);
    return true;
  }

  /** It was held for interrupted because nobody had heard of this process, and goes on. */
  #comeBack(id: string, { number }: Kept): void {
    const { endedAt: _, ...head } = JSON.parse(this.get(id) ?? '{}') as SessionHead;
    const facts = head.earlierFacts ?? 0;
    this.#reopen.run(JSON.stringify({ ...head, status: 'running', facts }), number);
  }

  #get(id: string): Kept | undefined {
    return this.#find.get(id) as unknown as Kept | undefined;
  }

  #write(statement: StatementSync, head: HeadRow): void {
    const { owner, user, agent, headend, status, createdAt, endedAt, resumptions, json, id } = head;
    statement.run(owner, user, agent, headend, status, createdAt, endedAt, resumptions, this.#writer, json, id);
  }
}

function isUnderWay({ status }: Kept): boolean {
  return status === 'queued' || status === 'running';
}

/** Handles are the ids of runs: the first has that of the session, those after it a number; below them follows a sign. */
function isOf(id: string, handle: string): boolean {
  return /^(?:-\d+)?(?:[~.].*)?$/s.test(handle.slice(id.length));
}

function unknown(id: string): StoreRefusal {
  return new StoreRefusal('store-failed', `There is no session ${id}, or not any more: nothing was kept of it.`);
}

function taken(id: string): StoreRefusal {
  return new StoreRefusal(
    'store-failed',
    `The session ${id} is written by another process since: nothing was changed.`,
  );
}

function tooMany(id: string): StoreRefusal {
  return new StoreRefusal(
    'store-failed',
    `The session ${id} has as many facts as a store takes: ${factsPerSession - 1}.`,
  );
}
