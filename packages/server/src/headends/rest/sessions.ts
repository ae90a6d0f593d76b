// `/v1/sessions`: runs that belong to no connection, and how they are read, followed, answered and ended.

import { AgentError, isUnderWay, type SessionHead } from '@ai-agent/core';
import type { Context, Hono } from 'hono';
import { answer } from '../../answer.ts';
import { callerOf } from '../../caller.ts';
import { closeQuestion } from '../../close-question.ts';
import { deleteSession } from '../../delete-session.ts';
import type { Inside } from '../../door.ts';
import { factsOf } from '../../facts-of.ts';
import type { Hall } from '../../hall.ts';
import type { LiveSession } from '../../live-session.ts';
import { listSessions } from '../../own-sessions.ts';
import { defaultBodyBytes } from '../../read-body.ts';
import { checkAgent, resume } from '../../resume.ts';
import { toSafeJson } from '../../safe-json.ts';
import { toHeadDocument } from '../../session-document.ts';
import { sseHeaders } from '../../sse.ts';
import { sessionHeader } from '../../trace-headers.ts';
import type { Visitor } from '../../visitor.ts';
import type { Wish } from '../../wishes.ts';
import { wrongMethod } from '../../wrong-method.ts';
import { Followers } from './followers.ts';
import { type Addressed, readAfter, readAnswering, readList, readStart } from './read-session.ts';
import { replyTo } from './reply.ts';
import { SessionEvents } from './session-events.ts';
import { viewOf } from './session-view.ts';
import { wantsOf } from './wants.ts';

export interface SessionRoutesOptions {
  /** What the body of a request may come to. @default 1 MiB */
  readonly maxBodyBytes?: number;
  /** Who may follow one session at once. @default 100 */
  readonly maxFollowers?: number;
}

type Here = Context<Inside>;

export function mountSessions(app: Hono<Inside>, hall: Hall, options: SessionRoutesOptions = {}): void {
  const { maxBodyBytes = defaultBodyBytes, maxFollowers = 100 } = options;
  const followers = new Followers(maxFollowers);
  const one = '/v1/sessions/:id';
  app.post('/v1/sessions', (context) => create(context, hall, maxBodyBytes));
  app.get('/v1/sessions', (context) => list(context, hall));
  app.all('/v1/sessions', () => wrongMethod('GET, HEAD, POST'));
  app.get(one, (context) => read(context, hall));
  app.delete(one, (context) => remove(context, hall));
  app.all(one, () => wrongMethod('GET, HEAD, DELETE'));
  app.get(`${one}/events`, (context) => follow(context, hall, followers));
  app.all(`${one}/events`, () => wrongMethod('GET, HEAD'));
  app.post(`${one}/stop`, (context) => end(context, hall, 'stop'));
  app.post(`${one}/cancel`, (context) => end(context, hall, 'cancel'));
  app.post(`${one}/answer`, (context) => goOn(context, hall, maxBodyBytes));
  for (const action of ['stop', 'cancel', 'answer']) app.all(`${one}/${action}`, () => wrongMethod('POST'));
}

async function create(context: Here, hall: Hall, maxBytes: number): Promise<Response> {
  const visitor = context.get('visitor');
  const request = context.req.raw;
  const { session, ...asked } = await readStart(request, maxBytes, (name, id) => address(hall, visitor, { name, id }));
  // Whoever calls may follow it until it ends: then it must not wait for the place of its caller.
  const above = callerOf(request.headers);
  const base = { ...asked, visitor, headend: 'rest', ...(above ? { above } : {}) };
  const { head } =
    session === undefined ? answer(hall, base) : await resume(hall, session, { ...base, message: asked.prompt });
  await whenKnown(hall, head.id);
  return reply(viewOf(visitor).head(hall.live(head.id)?.head ?? head, hall), 201, headersOf(head));
}

interface Named {
  readonly name: string | undefined;
  readonly id: string | undefined;
}

/** Throws `session-unknown`, `agent-unknown`, and `request-invalid` for a session of another agent. */
async function address(hall: Hall, visitor: Visitor, { name, id }: Named): Promise<Addressed> {
  const head = id === undefined ? undefined : await hall.session(id, visitor);
  const served = hall.agent(name ?? head?.agent ?? '', visitor);
  if (head) checkAgent(head, served.name);
  return { served, isAsking: head?.question !== undefined };
}

/** Whoever is told of a session finds it, whatever happens to this process then. */
async function whenKnown(hall: Hall, id: string): Promise<void> {
  const live = hall.live(id);
  if (live && !live.isWritten) await hall.patience.wait(live.whenSoFar());
}

function headersOf({ id }: SessionHead): Readonly<Record<string, string>> {
  return { location: `/v1/sessions/${id}`, [sessionHeader]: id };
}

async function list(context: Here, hall: Hall): Promise<Response> {
  const visitor = context.get('visitor');
  const query = readList(context.req.raw);
  if (query.before !== undefined) await hall.session(query.before, visitor);
  const { heads, isComplete } = await listSessions(hall, visitor, query);
  const part = isComplete ? {} : { isComplete: false };
  return reply({ sessions: heads.map((head) => toHeadDocument(head, hall)), ...part });
}

async function read(context: Here, hall: Hall): Promise<Response> {
  const { head, live } = await find(context, hall);
  return reply(viewOf(context.get('visitor')).whole(head, await factsOf(hall, head, live), hall));
}

async function follow(context: Here, hall: Hall, followers: Followers): Promise<Response> {
  const { head, live } = await find(context, hall);
  const after = readAfter(context.req.raw, live?.count ?? (head.endedAt === undefined ? undefined : head.facts));
  // Whoever only wants to know what would come hears nothing, and is never done hearing it.
  if (context.req.method === 'HEAD') return new Response(null, { headers: sseHeaders });
  const leave = followers.enter(head.id);
  const view = viewOf(context.get('visitor'));
  const events = new SessionEvents({ hall, head, live, after, view, onGone: leave });
  return new Response(events.body, { headers: sseHeaders });
}

async function end(context: Here, hall: Hall, wish: Wish): Promise<Response> {
  const { head, live } = await find(context, hall);
  const visitor = context.get('visitor');
  const show = viewOf(visitor).head;
  if (live && head.endedAt === undefined) {
    if (wish === 'stop') live.stop();
    else live.cancel('Whoever started it cancelled it.');
    return reply(show(live.head, hall), 202);
  }
  // Another server runs it.
  if (isUnderWay(head) && (await hall.wish(head, wish))) return reply(show(head, hall), 202);
  return reply(show(await closeQuestion(hall, head.id, visitor), hall));
}

async function remove(context: Here, hall: Hall): Promise<Response> {
  const { head } = await find(context, hall);
  await deleteSession(hall, head.id, context.get('visitor'));
  return new Response(null, { status: 204 });
}

async function goOn(context: Here, hall: Hall, maxBytes: number): Promise<Response> {
  const { head } = await find(context, hall);
  const request = context.req.raw;
  const visitor = context.get('visitor');
  const { answer: said, ...asked } = await readAnswering(request, maxBytes);
  const wait = mayWait(visitor, head, asked.wait);
  const above = callerOf(request.headers);
  const base = { visitor, answer: said, headend: 'rest', ...(above ? { above } : {}) };
  if (wait) {
    const wants = wantsOf(request.headers, head.output?.format);
    return replyTo(context, { hall, wants, ask: (hearing) => resume(hall, head.id, { ...base, ...hearing }) });
  }
  const answering = await resume(hall, head.id, base);
  await whenKnown(hall, head.id);
  return reply(viewOf(visitor).head(answering.head, hall), 202, headersOf(head));
}

/** What a visitor of a page may see comes by its events alone. Throws `key-limited`. */
function mayWait({ isOfPage = false }: Visitor, { isDetached }: SessionHead, wait?: boolean): boolean {
  if (isOfPage && wait)
    throw new AgentError('key-limited', 'A key that stands in pages cannot wait for the answer: follow the session.');
  return wait ?? (!isOfPage && !isDetached);
}

interface Found {
  readonly head: SessionHead;
  readonly live: LiveSession | undefined;
}

/** Both as they are at one moment. Throws `session-unknown`. */
async function find(context: Here, hall: Hall): Promise<Found> {
  const id = context.req.param('id') ?? '';
  const found = hall.find(id, context.get('visitor'));
  const head = found instanceof Promise ? await found : found;
  const live = hall.live(id);
  return { head: live?.head ?? head, live };
}

function reply(document: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  const type = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
  return new Response(`${toSafeJson(document)}\n`, { status, headers: { ...type, ...headers } });
}
