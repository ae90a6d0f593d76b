// Calls that whoever asked runs: what is handed out, and what comes back.

import { AgentError } from './errors.ts';
import { isObject, type Json } from './json.ts';
import type { FilePart } from './message.ts';

/** A call for whoever asked to run. */
export interface ClientCall {
  /** The provider's id of the call, unique within its reply. */
  readonly id: string;
  /** As the tool is called by whoever brought it. */
  readonly name: string;
  /** The arguments: a JSON object as text. */
  readonly input: string;
}

/** What a call came to, where it was run. */
export interface ClientResult {
  readonly id: string;
  readonly text: string;
  /** @default false */
  readonly isError?: boolean;
  readonly files?: readonly FilePart[];
}

/** All that comes back: `answer` of whoever goes on with the session. */
export interface ClientAnswer {
  /** One for each call. */
  readonly results: readonly ClientResult[];
  /** What was said beside them. @default nothing */
  readonly say?: string;
}

/** Throws `answer-invalid`: also when a call has no result, because a model never sees a call without one. */
export function readClientAnswer(calls: readonly ClientCall[], answer: Json): ClientAnswer {
  const { results, say } = isObject(answer) ? answer : {};
  if (!Array.isArray(results) || !results.every(isResult) || !(say === undefined || typeof say === 'string'))
    throw new AgentError('answer-invalid', 'The results must be a list, each with the id of its call and a text.');
  const missing = calls.find(({ id }) => !results.some((result) => result.id === id));
  if (missing) throw new AgentError('answer-invalid', `The call ${missing.id} of ${missing.name} has no result.`);
  return answer as unknown as ClientAnswer;
}

function isResult(value: unknown): value is ClientResult {
  return isObject(value) && typeof value.id === 'string' && typeof value.text === 'string';
}
