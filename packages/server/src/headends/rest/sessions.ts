// `/v1/sessions`: runs that belong to no connection, and how they are read, followed, answered and ended.

import type { SessionHead } from '@ai-agent/core';
import type { Context, Hono } from 'hono';
import { answer } from '../../answer.ts';
import { callerOf } from '../../caller.ts';
import { closeQuestion } from '../../close-question.ts';
import type { Inside } from '../../door.ts';
import { factsOf } from '../../facts-of.ts';
import type { Hall } from '../../hall.ts';
import type { LiveSession } from '../../live-session.ts';
import { defaultBodyBytes } from '../../read-body.ts';
import { resume } from '../../resume.ts';
import { toSafeJson } from '../../safe-json.ts';
import { toHeadDocument, toSessionDocument } from '../../session-document.ts';
import { sseHeaders } from '../../sse.ts';
import { wrongMethod } from '../../wrong-method.ts';
import { Followers } from './followers.ts';
import { readAfter, readAnswering, readLimit, readStart } from './read-session.ts';
import { replyTo } from './reply.ts';
import { SessionEvents } from './session-events.ts';
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
  app.all(one, () => wrongMethod('GET, HEAD'));
  app.get(`${one}/events`, (context) => follow(context, hall, followers));
  app.all(`${one}/events`, () => wrongMethod('GET, HEAD'));
  app.post(`${one}/stop`, (context) => end(context, hall, (live) => live.stop()));
  app.post(`${one}/cancel`, (context) => end(context, hall, (live) => live.cancel('Whoever started it cancelled it.')));
  app.post(`${one}/answer`, (context) => goOn(context, hall, maxBodyBytes));
  for (const action of ['stop', 'cancel', 'answer']) app.all(`${one}/${action}`, () => wrongMethod('POST'));
}

async function create(context: Here, hall: Hall, maxBytes: number): Promise<Response> {
  const visitor = context.get('visitor');
  const asked = await readStart(context.req.raw, maxBytes, (name) => hall.agent(name, visitor));
  // Whoever calls may follow it until it ends: then it must not wait for the place of its caller.
  const above = callerOf(context.req.raw.headers);
  const { head } = answer(hall, { ...asked, visitor, headend: 'rest', ...(above ? { above } : {}) });
  return reply(toHeadDocument(head), 201, { location: `/v1/sessions/${head.id}` });
}

async function list(context: Here, hall: Hall): Promise<Response> {
  const limit = readLimit(context.req.raw);
  const heads = await hall.sessions(context.get('visitor'), limit);
  return reply({ sessions: heads.map(toHeadDocument) });
}

async function read(context: Here, hall: Hall): Promise<Response> {
  const { head, live } = await find(context, hall);
  return reply(toSessionDocument(head, await factsOf(hall, head, live)));
}

async function follow(context: Here, hall: Hall, followers: Followers): Promise<Response> {
  const { head, live } = await find(context, hall);
  const after = readAfter(context.req.raw, live?.count ?? (head.endedAt === undefined ? undefined : head.facts));
  // Whoever only wants to know what would come hears nothing, and is never done hearing it.
  if (context.req.method === 'HEAD') return new Response(null, { headers: sseHeaders });
  const leave = followers.enter(head.id);
  const events = new SessionEvents({ hall, head, live, after, onGone: leave });
  return new Response(events.body, { headers: sseHeaders });
}

async function end(context: Here, hall: Hall, act: (live: LiveSession) => void): Promise<Response> {
  const { head, live } = await find(context, hall);
  if (!live || head.endedAt !== undefined)
    return reply(toHeadDocument(await closeQuestion(hall, head.id, context.get('visitor'))));
  act(live);
  return reply(toHeadDocument(live.head), 202);
}

async function goOn(context: Here, hall: Hall, maxBytes: number): Promise<Response> {
  const { head } = await find(context, hall);
  const request = context.req.raw;
  const { wait = !head.isDetached, answer: said } = await readAnswering(request, maxBytes);
  const visitor = context.get('visitor');
  const above = callerOf(request.headers);
  const base = { visitor, answer: said, ...(above ? { above } : {}) };
  if (wait) {
    const wants = wantsOf(request.headers, head.output?.format);
    return replyTo(context, { hall, wants, ask: (hearing) => resume(hall, head.id, { ...base, ...hearing }) });
  }
  const answering = await resume(hall, head.id, base);
  return reply(toHeadDocument(answering.head), 202, { location: `/v1/sessions/${head.id}` });
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
