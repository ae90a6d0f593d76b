// Requests to `/v1/sessions`, decoded: what to start, what is answered, where to go on.

import {
  AgentError,
  type Budget,
  inputFailure,
  isObject,
  type Json,
  type JsonObject,
  resultOf,
  type SessionStatus,
  sessionStatuses,
} from '@ai-agent/core';
import type { Asked } from '../../asked.ts';
import { checkWords } from '../../check-input.ts';
import type { OwnSessions } from '../../own-sessions.ts';
import { asWritable, parseJson } from '../../parse-json.ts';
import { readBody } from '../../read-body.ts';
import { readOutput } from '../../read-output.ts';
import type { Retry } from '../../retry.ts';
import type { ServedAgent } from '../../served-agent.ts';
import { unknownField } from '../../unknown-field.ts';
import { readAttachments } from './read-attachments.ts';
import { readBudget } from './read-budget.ts';
import { readQuery } from './read-fields.ts';
import { readRetry } from './read-retry.ts';
import { readSessionId } from './read-session-id.ts';

/** What a session is to do: a new one, one that was before, or a new one from the middle of another. */
export interface Started extends Pick<Asked, 'output' | 'budget' | 'attachments'> {
  readonly agent: string;
  /** Missing where that of another session holds. */
  readonly prompt?: Asked['prompt'];
  readonly session?: string;
  readonly retry?: Retry;
}

/** Whom it is for. */
export interface Addressed {
  readonly served: ServedAgent;
  /** It is asked something, and this is the answer. */
  readonly isAsking: boolean;
}

const startFields = ['agent', 'input', 'session', 'budget', 'format', 'schema', 'attachments', 'retry'] as const;

/** Throws `request-invalid`, `session-input-invalid`, and what `find` throws. */
export async function readStart(
  request: Request,
  maxBytes: number,
  find: (agent: string | undefined, session: string | undefined) => Promise<Addressed>,
): Promise<Started> {
  const fields = await readObject(request, maxBytes, startFields);
  const { agent, input, budget, format, schema } = fields;
  const session = readSessionId(request, fields.session);
  const retry = readRetry(fields.retry);
  const about = retry?.session ?? session;
  if (session !== undefined && retry)
    throw new AgentError('request-invalid', 'session goes on with one, and retry begins a new one: send one of them.');
  const { served, isAsking } = await find(readAgent(agent, about), about);
  const { output } = readOutput({ format, schema }, resultOf(served.agent) ?? { format: 'text' });
  const allowed = readBudget(budget);
  const said = retry
    ? readSaidAgain(fields, served)
    : { prompt: isAsking ? readSaid(input) : readInput(input, served), ...readFiles(fields.attachments, isAsking) };
  return {
    agent: served.name,
    ...said,
    ...(session === undefined ? {} : { session }),
    ...(retry ? { retry } : {}),
    ...(output ? { output } : {}),
    ...(allowed ? { budget: allowed } : {}),
  };
}

/** Nothing where that of the session is meant. */
function readAgent(agent: Json | undefined, session: string | undefined): string | undefined {
  if (agent === undefined && session === undefined)
    throw new AgentError('request-invalid', 'agent is missing: it is the name of the agent to ask.');
  if (agent === undefined || (typeof agent === 'string' && agent !== '')) return agent;
  throw new AgentError('request-invalid', 'agent must be the name of the agent to ask.');
}

type Brought = Pick<Started, 'prompt' | 'attachments'>;

/** What takes the place of a prompt, with its files; none of them stay where the list is empty. */
function readSaidAgain({ input, attachments }: { input?: Json; attachments?: Json }, served: ServedAgent): Brought {
  const files = readAttachments(attachments);
  if (input !== undefined) return { prompt: readInput(input, served), ...(files ? { attachments: files } : {}) };
  if (!files) return {};
  throw new AgentError('request-invalid', 'attachments go with an input: without one, what was asked is asked again.');
}

function readFiles(given: Json | undefined, isAsking: boolean): Brought {
  const attachments = readAttachments(given) ?? [];
  if (attachments.length > 0 && isAsking)
    throw new AgentError('request-invalid', 'attachments go with a prompt, and this session waits for an answer.', {
      remedy: 'Answer it without files, and send them with what you say next.',
    });
  return attachments.length > 0 ? { attachments } : {};
}

export interface Answered {
  readonly answer: Json;
  /** Whether the answer is waited for here. */
  readonly wait?: boolean;
}

/** Throws `request-invalid`. */
export async function readAnswering(request: Request, maxBytes: number): Promise<Answered> {
  const fields = await readObject(request, maxBytes, ['answer', 'wait']);
  const { answer, wait } = fields;
  if (answer === undefined) throw new AgentError('request-invalid', 'answer is missing: it is what you answer.');
  if (wait !== undefined && typeof wait !== 'boolean')
    throw new AgentError('request-invalid', 'wait must be true or false.');
  return { answer, ...(wait === undefined ? {} : { wait }) };
}

/** The one session below that is to stop; nothing for all of it, as for a body that is not there. Throws `request-invalid`. */
export async function readStop(request: Request, maxBytes: number): Promise<string | undefined> {
  const text = await readBody(request, maxBytes);
  if (text.trim() === '') return undefined;
  checkType(request);
  const { session } = toFields(text, ['session']);
  if (session !== undefined && (typeof session !== 'string' || session === '' || session.length > 1_000))
    throw new AgentError('request-invalid', 'session must be the id of a session below this one.');
  return session;
}

/** What a session may use from now on. Throws `request-invalid`. */
export async function readRaise(request: Request, maxBytes: number): Promise<Budget> {
  const fields = await readObject(request, maxBytes, amounts);
  if (Object.keys(fields).length === 0)
    throw new AgentError('request-invalid', `Nothing is raised: name some of ${amounts.join(', ')}.`);
  return readBudget(fields) ?? {};
}

const amounts = ['tokens', 'costUsd', 'timeMs', 'turns', 'toolCalls', 'descendants'] as const;

/** Which sessions are listed. Throws `request-invalid`. */
export function readList(request: Request): OwnSessions {
  const fields = readQuery(request.url, ['limit', 'status', 'agent', 'before', 'since', 'until']);
  const { limit = '20', status, agent, before, since, until } = fields;
  const number = Number(limit);
  if (!/^\d{1,3}$/.test(limit) || number < 1 || number > 100)
    throw new AgentError('request-invalid', 'limit must be a whole number from 1 to 100.');
  return {
    limit: number,
    ...(status === undefined ? {} : { statuses: readStatuses(status) }),
    ...(agent === undefined ? {} : { agent }),
    ...(before === undefined ? {} : { before }),
    ...(since === undefined ? {} : { since: readMoment('since', since) }),
    ...(until === undefined ? {} : { until: readMoment('until', until) }),
  };
}

function readStatuses(given: string): readonly SessionStatus[] {
  return given.split(',').map((one) => {
    const known = sessionStatuses.find((status) => status === one.trim());
    if (known) return known;
    throw new AgentError(
      'request-invalid',
      `status must be some of ${sessionStatuses.join(', ')}, with commas between.`,
    );
  });
}

/** Milliseconds since 1970, or a date as ISO 8601 has it. */
function readMoment(name: string, given: string): number {
  const moment = /^\d{1,15}$/.test(given) ? Number(given) : /^\d{4}-/.test(given) ? Date.parse(given) : Number.NaN;
  if (!Number.isNaN(moment)) return moment;
  throw new AgentError('request-invalid', `${name} must be a date such as 2026-11-16, or milliseconds since 1970.`);
}

export interface Followed {
  /** Whether what goes on in the middle is told. */
  readonly wantsNow: boolean;
  /** How many facts whoever comes back has. */
  readonly after: number;
  readonly isBrief: boolean;
}

/** What a browser sends by itself wins over the address. Throws `request-invalid`. */
export function readFollow(request: Request, count = Number.MAX_SAFE_INTEGER): Followed {
  const { after, brief, now } = readQuery(request.url, ['after', 'brief', 'now']);
  const isBrief = readSwitch('brief', brief);
  const wantsNow = readSwitch('now', now);
  const header = request.headers.get('last-event-id');
  const [name, given] = header === null ? ['after', after ?? '0'] : ['Last-Event-ID', header];
  const number = Number(given);
  if (/^\d{1,15}$/.test(given) && number <= count) return { after: number, isBrief, wantsNow };
  throw new AgentError('request-invalid', `${name} must be the id of an event of this session, or 0.`);
}

/** Whether only how it stands is wanted. Throws `request-invalid`. */
export function readIsBrief(request: Request): boolean {
  return readSwitch('brief', readQuery(request.url, ['brief']).brief);
}

function readSwitch(name: string, said: string | undefined): boolean {
  if (said === undefined || said === 'true' || said === 'false') return said === 'true';
  throw new AgentError('request-invalid', `${name} must be true or false.`);
}

/** What answers a question: text or JSON, as that asks for it. */
function readSaid(input: Json | undefined): string | JsonObject {
  if (input === undefined) throw new AgentError('request-invalid', 'input is missing: it is what you answer.');
  return typeof input === 'string' || isObject(input) ? input : JSON.stringify(input);
}

/** Anything that is JSON for agents that take JSON; words, or an object, for the others. */
function readInput(input: Json | undefined, served: ServedAgent): string | JsonObject {
  const { agent } = served;
  const isJson = agent.input?.format === 'json';
  if (input === undefined || input === null || (typeof input === 'string' && input.trim() === ''))
    throw new AgentError('request-invalid', 'input is missing or empty: it is what you ask.');
  if (typeof input !== 'string' && !isObject(input) && !isJson)
    throw new AgentError('request-invalid', 'input must be text or an object.');
  const prompt = typeof input === 'string' || isObject(input) ? input : JSON.stringify(input);
  checkWords(served, prompt);
  const failure = inputFailure(agent, typeof prompt === 'string' ? prompt : JSON.stringify(prompt));
  if (failure) throw new AgentError(failure.code, failure.message);
  return prompt;
}

async function readObject<K extends string>(
  request: Request,
  maxBytes: number,
  known: readonly K[],
): Promise<Partial<Record<K, Json>>> {
  checkType(request);
  return toFields(await readBody(request, maxBytes), known);
}

function checkType(request: Request): void {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== '' && type !== 'application/json' && !/^application\/[\w.-]+\+json$/.test(type))
    throw new AgentError('request-invalid', 'Bodies of this content type are not taken here.', {
      remedy: 'Send application/json.',
    });
}

function toFields<K extends string>(text: string, known: readonly K[]): Partial<Record<K, Json>> {
  const body = parseJson(text, 'The body');
  if (!isObject(body)) throw new AgentError('request-invalid', 'The body must be a JSON object.');
  const unknown = Object.keys(body).find((key) => !(known as readonly string[]).includes(key));
  if (unknown !== undefined) throw unknownField(unknown, known);
  return asWritable(body as Partial<Record<K, Json>>);
}
