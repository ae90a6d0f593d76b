// `/v1/sessions`: runs that belong to no connection, and how they are read, followed, answered and ended.

import { AgentError, isUnderWay, roundIdOf, type SessionHead } from '@ai-agent/core';
import type { Context, Hono } from 'hono';
import { answer } from '../../answer.ts';
import type { Answering, Asked } from '../../asked.ts';
import { callerOf } from '../../caller.ts';
import { deleteSession } from '../../delete-session.ts';
import type { Inside } from '../../door.ts';
import { endSession, type Standing } from '../../end-session.ts';
import { factOf, factsOf } from '../../facts-of.ts';
import type { Hall } from '../../hall.ts';
import { listSessions } from '../../own-sessions.ts';
import { raiseBudget } from '../../raise-budget.ts';
import { defaultBodyBytes } from '../../read-body.ts';
import { checkAgent, resume } from '../../resume.ts';
import { retry } from '../../retry.ts';
import { toSafeJson } from '../../safe-json.ts';
import { toHeadDocument } from '../../session-document.ts';
import { sseHeaders } from '../../sse.ts';
import { defaultTalkBytes } from '../../talk/talk-routes.ts';
import { sessionHeader } from '../../trace-headers.ts';
import type { Visitor } from '../../visitor.ts';
import type { Wish } from '../../wishes.ts';
import { wrongMethod } from '../../wrong-method.ts';
import { Followers } from './followers.ts';
import { InterruptedUsage } from './interrupted-usage.ts';
import {
  type Addressed,
  readAnswering,
  readFollow,
  readIsBrief,
  readList,
  readRaise,
  readStart,
  readStop,
  type Started,
} from './read-session.ts';
import { replyTo } from './reply.ts';
import { SessionEvents } from './session-events.ts';
import { viewOf } from './session-view.ts';
import { wantsOf } from './wants.ts';

export interface SessionRoutesOptions {
  /** What the body of a request may come to. @default 1 MiB; 32 MiB of one that starts a session, which may bring files, but not with a publishable key */
  readonly maxBodyBytes?: number;
  /** Who may follow one session at once. @default 100 */
  readonly maxFollowers?: number;
}

type Here = Context<Inside>;

export function mountSessions(app: Hono<Inside>, hall: Hall, options: SessionRoutesOptions = {}): void {
  const { maxBodyBytes, maxFollowers = 100 } = options;
  const followers = new Followers(maxFollowers);
  const usage = new InterruptedUsage(hall.store);
  const one = '/v1/sessions/:id';
  app.post('/v1/sessions', (context) => create(context, hall, maxBodyBytes));
  app.get('/v1/sessions', (context) => list(context, hall, usage));
  app.all('/v1/sessions', () => wrongMethod('GET, HEAD, POST'));
  app.get(one, (context) => read(context, hall, usage));
  app.delete(one, (context) => remove(context, hall));
  app.all(one, () => wrongMethod('GET, HEAD, DELETE'));
  app.get(`${one}/events`, (context) => follow(context, hall, followers));
  app.all(`${one}/events`, () => wrongMethod('GET, HEAD'));
  app.get(`${one}/facts/:number`, (context) => readFact(context, hall));
  app.all(`${one}/facts/:number`, () => wrongMethod('GET, HEAD'));
  app.post(`${one}/stop`, (context) => stop(context, hall, maxBodyBytes ?? defaultBodyBytes));
  app.post(`${one}/cancel`, (context) => end(context, hall, 'cancel'));
  app.post(`${one}/answer`, (context) => goOn(context, hall, maxBodyBytes ?? defaultBodyBytes));
  app.post(`${one}/budget`, (context) => raise(context, hall, maxBodyBytes ?? defaultBodyBytes));
  for (const action of ['stop', 'cancel', 'answer', 'budget']) app.all(`${one}/${action}`, () => wrongMethod('POST'));
}

async function create(context: Here, hall: Hall, maxBodyBytes: number | undefined): Promise<Response> {
  const visitor = context.get('visitor');
  const request = context.req.raw;
  const maxBytes = maxBodyBytes ?? (visitor.origins ? defaultBodyBytes : defaultTalkBytes);
  const started = await readStart(request, maxBytes, (name, id) => address(hall, visitor, { name, id }));
  // Whoever calls may follow it until it ends: then it must not wait for the place of its caller.
  const above = callerOf(request.headers);
  const { head } = await begin(hall, { ...started, visitor, headend: 'rest', ...(above ? { above } : {}) });
  if (visitor.origins) endWithout(request, hall, head.id);
  await hall.whenKnown(head.id);
  return reply(viewOf(visitor).head(hall.live(head.id)?.head ?? head, hall), 201, headersOf(head));
}

function begin(
  hall: Hall,
  { session, retry: from, prompt = '', ...asked }: Started & Pick<Asked, 'visitor' | 'headend' | 'above'>,
): Answering | Promise<Answering> {
  if (from) return retry(hall, { ...asked, retry: from, input: prompt === '' ? undefined : prompt });
  return session === undefined
    ? answer(hall, { ...asked, prompt })
    : resume(hall, session, { ...asked, message: prompt });
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

/** A page that has left before it was told which session it is will never end it. */
function endWithout({ signal }: Request, hall: Hall, id: string): void {
  const leave = () => hall.live(id)?.abandon('Whoever asked has gone.');
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave, { once: true });
}

function headersOf({ id }: SessionHead): Readonly<Record<string, string>> {
  return { location: `/v1/sessions/${id}`, [sessionHeader]: id };
}

async function list(context: Here, hall: Hall, usage: InterruptedUsage): Promise<Response> {
  const visitor = context.get('visitor');
  const query = readList(context.req.raw);
  if (query.before !== undefined) await hall.session(query.before, visitor);
  const { heads, isComplete } = await listSessions(hall, visitor, query);
  const part = isComplete ? {} : { isComplete: false };
  // Drafts may be long, and a list has many.
  const sessions = (await usage.addTo(heads)).map(({ draft: _, ...head }) => toHeadDocument(head, hall));
  return reply({ sessions, ...part });
}

async function read(context: Here, hall: Hall, usage: InterruptedUsage): Promise<Response> {
  const isBrief = readIsBrief(context.req.raw);
  const { head, live } = await find(context, hall);
  const view = viewOf(context.get('visitor'));
  // The end that a client reads holds also if the process is killed now.
  if (!isUnderWay(head)) await hall.whenKnown(head.id);
  if (isBrief) {
    const [full = head] = await usage.addTo([head]);
    return reply(view.head(full, hall));
  }
  return reply(view.whole(head, await factsOf(hall, head, live), hall));
}

async function readFact(context: Here, hall: Hall): Promise<Response> {
  const { head, live } = await find(context, hall);
  const number = context.req.param('number') ?? '';
  const fact = /^\d{1,15}$/.test(number) ? await factOf(hall, { head, live }, Number(number)) : undefined;
  if (fact) return reply(fact);
  throw new AgentError('route-unknown', 'This session has told no fact of that number.', {
    remedy: 'Facts have the numbers that are their ids in the events of the session, from 1 on.',
  });
}

async function follow(context: Here, hall: Hall, followers: Followers): Promise<Response> {
  const { head, live } = await find(context, hall);
  const followed = readFollow(context.req.raw, live?.count ?? (head.endedAt === undefined ? undefined : head.facts));
  // Whoever only wants to know what would come hears nothing, and is never done hearing it.
  if (context.req.method === 'HEAD') return new Response(null, { headers: sseHeaders });
  const leave = followers.enter(head.id);
  const view = viewOf(context.get('visitor'), followed.isBrief ? head.id : undefined);
  const events = new SessionEvents({ hall, head, live, ...followed, view, onGone: leave });
  return new Response(events.body, { headers: sseHeaders });
}

/** All of it, or one session below it alone. */
async function stop(context: Here, hall: Hall, maxBytes: number): Promise<Response> {
  await find(context, hall);
  const below = await readStop(context.req.raw, maxBytes);
  if (below === undefined) return end(context, hall, 'stop');
  // As it is now: a body takes its time.
  const { head, live } = await find(context, hall);
  const isTold = live ? live.stopBelow(below) : await stopElsewhere(hall, head, below);
  if (isTold) return reply(viewOf(context.get('visitor')).head(head, hall), 202);
  throw new AgentError('session-unknown', `No session ${below} runs below ${head.id}.`, {
    remedy: 'Take the id of a session that runs from its tree or its events; without one all of it is stopped.',
  });
}

/** What runs there now is not known here: an id that could be one is passed on. */
async function stopElsewhere(hall: Hall, head: SessionHead, below: string): Promise<boolean> {
  return isUnderWay(head) && below.startsWith(`${roundIdOf(head)}~`) && hall.wish(head, 'stop', below);
}

async function raise(context: Here, hall: Hall, maxBytes: number): Promise<Response> {
  await find(context, hall);
  const more = await readRaise(context.req.raw, maxBytes);
  const { head, live } = await find(context, hall);
  return reply(toHeadDocument(raiseBudget(head, live, more), hall), 202);
}

async function end(context: Here, hall: Hall, wish: Wish): Promise<Response> {
  const visitor = context.get('visitor');
  const { head, came } = await endSession(hall, await find(context, hall), visitor, wish);
  return reply(viewOf(visitor).head(head, hall), came === 'told' ? 202 : 200);
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
  if (visitor.origins) endWithout(request, hall, head.id);
  await hall.whenKnown(head.id);
  return reply(viewOf(visitor).head(answering.head, hall), 202, headersOf(head));
}

/** What a visitor of a page may see comes by its events alone. Throws `key-limited`. */
function mayWait({ isOfPage = false }: Visitor, { isDetached }: SessionHead, wait?: boolean): boolean {
  if (isOfPage && wait)
    throw new AgentError('key-limited', 'A key that stands in pages cannot wait for the answer: follow the session.');
  return wait ?? (!isOfPage && !isDetached);
}

/** Both as they are at one moment. Throws `session-unknown`. */
async function find(context: Here, hall: Hall): Promise<Standing> {
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
