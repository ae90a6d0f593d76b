// Requests to `/v1/sessions`, decoded: what to start, what is answered, where to go on.

import { AgentError, inputFailure, isObject, type Json, type JsonObject, resultOf } from '@ai-agent/core';
import type { Asked } from '../../asked.ts';
import { checkWords } from '../../check-input.ts';
import { asWritable, parseJson } from '../../parse-json.ts';
import { readBody } from '../../read-body.ts';
import { readOutput } from '../../read-output.ts';
import type { ServedAgent } from '../../served-agent.ts';
import { unknownField } from '../../unknown-field.ts';
import { readBudget } from './read-budget.ts';
import { readQuery } from './read-fields.ts';

type Started = Pick<Asked, 'agent' | 'prompt' | 'output' | 'budget'>;

/** Throws `request-invalid`, `session-input-invalid`, and what `find` throws. */
export async function readStart(
  request: Request,
  maxBytes: number,
  find: (agent: string) => ServedAgent,
): Promise<Started> {
  const fields = await readObject(request, maxBytes, ['agent', 'input', 'budget', 'format', 'schema']);
  const { agent, input, budget, format, schema } = fields;
  if (typeof agent !== 'string' || agent === '')
    throw new AgentError('request-invalid', 'agent is missing: it is the name of the agent to ask.');
  const served = find(agent);
  const { output } = readOutput({ format, schema }, resultOf(served.agent) ?? { format: 'text' });
  const allowed = readBudget(budget);
  const prompt = readInput(input, served);
  return { agent, prompt, ...(output ? { output } : {}), ...(allowed ? { budget: allowed } : {}) };
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

/** Throws `request-invalid`. */
export function readLimit(request: Request): number {
  const { limit = '20' } = readQuery(request.url, ['limit']);
  const number = Number(limit);
  if (/^\d{1,3}$/.test(limit) && number >= 1 && number <= 100) return number;
  throw new AgentError('request-invalid', 'limit must be a whole number from 1 to 100.');
}

/** How many facts whoever comes back has: what a browser sends by itself wins over the address. Throws `request-invalid`. */
export function readAfter(request: Request, count = Number.MAX_SAFE_INTEGER): number {
  const { after } = readQuery(request.url, ['after']);
  const header = request.headers.get('last-event-id');
  const [name, given] = header === null ? ['after', after ?? '0'] : ['Last-Event-ID', header];
  const number = Number(given);
  if (/^\d{1,15}$/.test(given) && number <= count) return number;
  throw new AgentError('request-invalid', `${name} must be the id of an event of this session, or 0.`);
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
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== '' && type !== 'application/json' && !/^application\/[\w.-]+\+json$/.test(type))
    throw new AgentError('request-invalid', 'Bodies of this content type are not taken here.', {
      remedy: 'Send application/json.',
    });
  const body = parseJson(await readBody(request, maxBytes), 'The body');
  if (!isObject(body)) throw new AgentError('request-invalid', 'The body must be a JSON object.');
  const unknown = Object.keys(body).find((key) => !(known as readonly string[]).includes(key));
  if (unknown !== undefined) throw unknownField(unknown, known);
  return asWritable(body as Partial<Record<K, Json>>);
}
