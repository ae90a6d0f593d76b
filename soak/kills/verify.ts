// Holds a session, as a server has it from its store, against what was told of it, and against itself.

import { isDeepStrictEqual } from 'node:util';
import { type Fact, isUnderWay, ledgerOf, OpTreeFold, type SessionStatus, sessionStatuses } from '@ai-agent/core';
import { framesOf } from './frames.ts';
import { Broken, type Standing, type ToldSession } from './told.ts';
import { standingOf, within } from './visits.ts';

type SessionEnd = Extract<Fact, { type: 'session-end' }>;

/** What a server says of a session that nobody works with. */
export interface Kept {
  readonly standing: Standing;
  readonly facts: number;
  /** How many rounds it has, also one that was interrupted before it told anything. */
  readonly rounds: number;
}

/** Throws what is not as it was told. Nothing when it is not there, and nobody was promised that it is. */
export async function verify(url: string, told: ToldSession): Promise<Kept | undefined> {
  const session = `${url}/v1/sessions/${told.id}`;
  const response = await fetch(session, { signal: within() });
  const body = await response.text();
  if (response.status === 404 && !told.isPromised) return undefined;
  if (response.status !== 200) throw new Broken(`${told.id}: ${response.status} ${body}told: ${showTold(told)}`);
  const document = JSON.parse(body) as Document;
  if (isUnderWay({ status: document.status as SessionStatus }))
    throw new Broken(`${told.id}: it is still ${document.status}`);
  const { written, end } = await readEvents(`${session}/events`, told.id);
  const facts = written.map((data) => JSON.parse(data) as Fact);
  try {
    checkTold(told, written, facts);
    checkStanding(told, document);
    if (end !== document.status) throw new Broken(`its events end as ${end}, and it is ${document.status}`);
    const rounds = checkWhole(told, document, facts);
    return { standing: standingOf(document), facts: facts.length, rounds };
  } catch (error) {
    const about = `${String(error)}\nhead: ${JSON.stringify({ ...document, ledger: undefined, tree: undefined, earlier: undefined })}`;
    const last = written.slice(-3).map((fact) => fact.slice(0, 600));
    throw new Broken(
      `${told.id}: ${about}\ntold: ${showTold(told)}\n${facts.length} facts, the last:\n${last.join('\n')}`,
    );
  }
}

interface Document extends Standing {
  readonly status: string;
  readonly endedAt?: number;
  readonly failure?: unknown;
  readonly question?: never;
  readonly ledger: { readonly total: { readonly modelCalls: number; readonly toolCalls: number } };
  readonly tree: unknown;
}

function showTold({ facts, ends, standing, rounds, knownMs }: ToldSession): string {
  return JSON.stringify({ facts: facts.length, ends: [...ends], standing, rounds, knownMs });
}

/** Every fact from the first, as it was written; they are numbered without a gap. */
async function readEvents(url: string, id: string): Promise<{ readonly written: string[]; readonly end: string }> {
  const response = await fetch(url, { signal: within() });
  const written: string[] = [];
  for await (const frame of framesOf(response)) {
    if (frame.event === 'end') return { written, end: JSON.parse(frame.data).status };
    written.push(frame.data);
    if (frame.id !== written.length) throw new Broken(`${id}: fact ${frame.id} in the place of ${written.length}`);
  }
  throw new Broken(`${id}: its events have no end`);
}

/** What came with a number is there under that number; what came of a round is in its last fact. */
function checkTold({ facts: told, ends }: ToldSession, written: readonly string[], facts: readonly Fact[]): void {
  for (const [i, fact] of told.entries()) if (fact !== undefined) checkFact(i + 1, fact, written[i]);
  for (const [round, standing] of ends) checkEnding(round, standing, endOf(facts, round));
}

function checkFact(number: number, told: string, kept: string | undefined): void {
  if (told === kept) return;
  if (kept === undefined) throw new Broken(`fact ${number} is missing: ${told}`);
  if (!isDeepStrictEqual(JSON.parse(kept), JSON.parse(told)))
    throw new Broken(`fact ${number} is ${kept}, not ${told}`);
}

function checkEnding(round: string, { status, text, question }: Standing, end: SessionEnd | undefined): void {
  const ending = end?.ending;
  const asked = ending && 'question' in ending ? ending.question.text : undefined;
  const isSame = ending?.status === status && asked === question && (asked !== undefined || ending.text === text);
  if (!isSame) throw new Broken(`round ${round} came to ${status} "${text}", and not ${JSON.stringify(ending)}`);
}

function checkStanding({ standing }: ToldSession, document: Document): void {
  if (!standing) return;
  const kept = standingOf(document);
  const isSame = kept.status === standing.status && kept.question === standing.question;
  if (!isSame || (!kept.question && kept.text !== standing.text))
    throw new Broken(`it stood ${JSON.stringify(standing)}, and stands ${JSON.stringify(kept)}`);
}

/** Not half of one: how it stands, and what is folded of it, are what its facts say. Gives how many rounds it has. */
function checkWhole({ rounds: asked }: ToldSession, document: Document, facts: readonly Fact[]): number {
  const { status, endedAt, failure } = document;
  if (!(sessionStatuses as readonly string[]).includes(status)) throw new Broken(`it is ${status}`);
  if (endedAt === undefined) throw new Broken(`it is ${status}, and has no end`);
  const rounds = checkRounds(facts);
  const end = endOf(facts, rounds.at(-1));
  const isLast = end !== undefined && facts.at(-1) === end;
  const isUnbegun = status === 'interrupted' && isLast && rounds.length < asked;
  if (status === 'interrupted' && isLast && !isUnbegun) throw new Broken('it was interrupted, and has ended');
  if (status === 'interrupted' && document.question) throw new Broken('it was interrupted, and asks');
  if (status !== 'interrupted' && !failure && (!isLast || end.ending.status !== status))
    throw new Broken(`it is ${status}, and its facts do not end so`);
  checkFolds(document, facts, rounds.at(-1));
  return rounds.length + (isUnbegun ? 1 : 0);
}

/** The ids of its trees, one after the other; each session of them told its facts in order, from the first. */
function checkRounds(facts: readonly Fact[]): readonly string[] {
  const rounds: string[] = [];
  const told = new Map<string, number>();
  for (const { seq, trace } of facts) {
    if (rounds.at(-1) !== trace.originId) {
      if (rounds.includes(trace.originId))
        throw new Broken(`facts of ${trace.originId} are among those of another round`);
      rounds.push(trace.originId);
    }
    const before = told.get(trace.selfId) ?? 0;
    if (seq !== before + 1) throw new Broken(`${trace.selfId} told fact ${seq} after ${before}`);
    told.set(trace.selfId, seq);
  }
  return rounds;
}

function checkFolds(document: Document, facts: readonly Fact[], round: string | undefined): void {
  const fold = new OpTreeFold();
  for (const fact of facts) fold.add(fact);
  const ledger = ledgerOf(facts, { isOver: true });
  const tree = (round === undefined ? undefined : fold.session(round)) ?? null;
  if (!isDeepStrictEqual(document.ledger, plain(ledger))) throw new Broken('its ledger is not that of its facts');
  if (!isDeepStrictEqual(document.tree, plain(tree))) throw new Broken('its tree is not that of its facts');
  const { modelCalls } = document.ledger.total;
  // Also one that began, and of whose end nobody knows.
  const told = facts.filter(({ type }) => type === 'model-start').length;
  if (modelCalls !== told) throw new Broken(`${modelCalls} calls of models in its ledger, and ${told} in its facts`);
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** The last fact of a round at its root. */
function endOf(facts: readonly Fact[], round: string | undefined): SessionEnd | undefined {
  return facts.find(
    (fact): fact is SessionEnd =>
      fact.type === 'session-end' && fact.trace.selfId === round && fact.trace.originId === round,
  );
}
