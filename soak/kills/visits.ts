// What a client does at the server: asks, follows, answers, goes on. Everything that it is told is written down.

import type { Chance } from '../chance.ts';
import { type Frame, framesOf } from './frames.ts';
import { answerOf, promptOf, questionOf } from './team.ts';
import { Broken, type Standing, type Told, type ToldSession } from './told.ts';

export interface Visited {
  readonly url: string;
  readonly told: Told;
  readonly chance: Chance;
}

type Form = 'plain' | 'document' | 'stream';
const forms: readonly Form[] = ['plain', 'document', 'stream'];
const accepted = { plain: '*/*', document: 'application/vnd.ai-agent+json', stream: 'text/event-stream' };

/** Asks, and waits for the answer; half of the questions stay open. */
export async function visitAndWait(visited: Visited): Promise<void> {
  const { chance } = visited;
  const word = visited.told.newWord();
  const asks = chance.isTrue(0.3);
  const body = { text: promptOf(word, asks) };
  const told = await askFor(visited, { path: '/v1/desk', body, form: chance.pick(forms) ?? 'plain', word, asks });
  if (asks && chance.isTrue(0.5)) await answerQuestion(visited, told);
}

/** Starts a session and follows it, with broken connections in between; half of the questions stay open. */
export async function visitAndFollow(visited: Visited): Promise<void> {
  const { url, told: book, chance } = visited;
  const word = visited.told.newWord();
  const asks = chance.isTrue(0.3);
  const began = performance.now();
  const response = await post(`${url}/v1/sessions`, { agent: 'desk', input: promptOf(word, asks) });
  const { id, isKept = true } = JSON.parse(await expectStatus(response, 201)) as { id: string; isKept?: boolean };
  const told = book.session(id);
  if (!isKept) book.unkept++;
  Object.assign(told, {
    word,
    asks,
    isPromised: isKept,
    isTaken: true,
    knownMs: Math.round(performance.now() - began),
  });
  await follow(visited, told);
  checkAnswer(told, undefined);
  if (asks && chance.isTrue(0.5)) {
    const colour = `colour-${visited.told.newWord()}`;
    book.goOn(told);
    await expectStatus(await post(`${url}/v1/sessions/${id}/answer`, { answer: colour }), 202);
    await follow(visited, told);
    checkAnswer(told, colour);
  }
  told.isTaken = false;
}

/** Answers what a session asks, and waits for what comes of it. */
export async function answerQuestion(visited: Visited, told: ToldSession): Promise<void> {
  const colour = `colour-${visited.told.newWord()}`;
  const path = `/v1/sessions/${told.id}/answer`;
  const body = { answer: colour, wait: true };
  const { word, asks } = told;
  await askFor(visited, { path, body, form: 'plain', word, asks, before: told, colour });
}

/** Says something further in a session that nobody works with. */
export async function goOnWith(visited: Visited, told: ToldSession): Promise<void> {
  const word = visited.told.newWord();
  const form = visited.chance.pick(forms) ?? 'plain';
  const body = { text: promptOf(word, false), session: told.id };
  await askFor(visited, { path: '/v1/desk', body, form, word, asks: false, before: told });
}

interface Asking {
  readonly path: string;
  readonly body: object;
  readonly form: Form;
  readonly word: string;
  readonly asks: boolean;
  /** The session that goes on with it. */
  readonly before?: ToldSession;
  /** What its question is answered with. */
  readonly colour?: string;
}

async function askFor(visited: Visited, asking: Asking): Promise<ToldSession> {
  const { url, told: book } = visited;
  const { path, body, form, word, asks, before, colour } = asking;
  if (before) {
    book.goOn(before);
    Object.assign(before, { word, asks, isTaken: true });
  }
  const response = await post(`${url}${path}`, body, { accept: accepted[form] });
  if (response.status !== 200) await expectStatus(response, 200);
  const reply = form === 'stream' ? await readStream(response) : await readReply(response, form);
  const told = book.session(reply.id);
  Object.assign(told, { word, asks });
  if (before && before !== told) throw new Broken(`${before.id} was to go on, and ${told.id} did`);
  book.end(told, reply.round, reply.standing);
  checkAnswer(told, colour);
  told.isTaken = false;
  return told;
}

interface Reply {
  readonly id: string;
  /** The id of its tree. */
  readonly round: string;
  readonly standing: Standing;
}

async function readReply(response: Response, form: Form): Promise<Reply> {
  const { headers } = response;
  const body = await response.text();
  const id = headers.get('x-ai-agent-session') ?? '';
  const round = headers.get('x-ai-agent-origin-id') ?? '';
  if (form === 'document') return { id, round, standing: standingOf(JSON.parse(body)) };
  const status = headers.get('x-ai-agent-status') ?? '';
  const isAsking = status === 'needs_user_input';
  const said = body.replace(/\n$/, '');
  return { id, round, standing: isAsking ? { status, text: '', question: said } : { status, text: said } };
}

async function readStream(response: Response): Promise<Reply> {
  for await (const { event, data } of framesOf(response)) {
    if (event !== 'outcome') continue;
    const document = JSON.parse(data);
    return { id: document.sessionId, round: document.trace?.originId ?? '', standing: standingOf(document) };
  }
  throw new Error('The stream ended without an outcome.');
}

interface Document {
  readonly status: string;
  readonly text?: string;
  readonly question?: { readonly text: string };
}

export function standingOf({ status, text = '', question }: Document): Standing {
  return { status, text, ...(question ? { question: question.text } : {}) };
}

/** Until it has ended; leaves at some facts, and comes back behind them. */
async function follow({ url, told: book, chance }: Visited, told: ToldSession): Promise<void> {
  let end: Standing | undefined;
  while (!end) {
    const at = told.facts.length;
    const headers = at === 0 ? {} : { 'last-event-id': String(at) };
    const response = await fetch(`${url}/v1/sessions/${told.id}/events`, { headers, signal: within() });
    if (response.status !== 200) await expectStatus(response, 200);
    const patience = chance.isTrue(0.4) ? Math.ceil(chance.upTo(20)) : Number.POSITIVE_INFINITY;
    end = await hear(book, told, { frames: framesOf(response), patience });
  }
  told.standing = end;
}

interface Hearing {
  readonly frames: AsyncIterable<Frame>;
  /** How many facts are heard before the connection is left. */
  readonly patience: number;
}

/** Nothing when it left before the end. */
async function hear(book: Told, told: ToldSession, { frames, patience }: Hearing): Promise<Standing | undefined> {
  const from = told.facts.length;
  for await (const { id, event, data } of frames) {
    if (event === 'end') return endOf(book, told, JSON.parse(data));
    if (id === undefined) {
      // The store is behind: whoever comes back later has it with its number.
      if (JSON.parse(data).kind === 'fact') return undefined;
      continue;
    }
    if (id !== told.facts.length + 1) throw new Broken(`${told.id}: fact ${id} after ${told.facts.length}`);
    book.fact(told, id, data);
    if (told.facts.length - from >= patience) return undefined;
  }
  throw new Error(`${told.id}: the events ended without an end`);
}

/** The end has no text: the last fact has it. */
function endOf(book: Told, told: ToldSession, document: Document): Standing {
  const last = JSON.parse(told.facts.at(-1) ?? '{}');
  const { type, ending, trace } = last;
  if (type !== 'session-end' || trace.selfId !== trace.originId || ending.status !== document.status)
    throw new Broken(`${told.id}: ${document.status} after ${told.facts.at(-1)}`);
  const standing = standingOf({ ...document, text: ending.text });
  book.end(told, trace.originId, standing);
  return standing;
}

/** Whether it is the answer to what was asked: nobody gets somebody else's. */
function checkAnswer({ id, word, asks, standing }: ToldSession, colour: string | undefined): void {
  const isAsking = asks && colour === undefined;
  const expected = isAsking ? `needs_user_input ${questionOf(word)}` : `completed ${answerOf(word, colour)}`;
  const came = `${standing?.status} ${isAsking ? standing?.question : standing?.text.trim()}`;
  if (came !== expected) throw new Broken(`${id}: ${came} instead of ${expected}`);
}

/** Nobody waits for ever. */
export function within(): AbortSignal {
  return AbortSignal.timeout(30_000);
}

function post(url: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: within(),
  });
}

async function expectStatus(response: Response, status: number): Promise<string> {
  const text = await response.text();
  if (response.status !== status) throw new Broken(`${response.url} answered ${response.status}: ${text}`);
  return text;
}
