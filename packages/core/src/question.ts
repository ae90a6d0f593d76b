// What a session asks before it goes on: something to know, or leave to act.

import { AgentError, type Failure, toFailure } from './errors.ts';
import { isObject, type Json, type JsonObject, type JsonSchema } from './json.ts';
import { problemsOf } from './schema.ts';

export interface Question {
  readonly type: 'question' | 'approval';
  /** In words, for whoever answers. */
  readonly text: string;
  /** Answers to choose from. */
  readonly choices?: readonly string[];
  /** What the answer must satisfy. */
  readonly schema?: JsonSchema;
  /** The call that waits for leave, when it is about one. What comes from outside has its prefix: `github__delete_repo`. */
  readonly call?: { readonly tool: string; readonly args: JsonObject };
  /** Who may answer: the model that called the agent too, or a person alone. */
  readonly to: 'caller' | 'person';
  /** Names the question: answer with it. */
  readonly handle: string;
  /** Who asks. */
  readonly agentName: string;
  readonly sessionId: string;
}

/** Whether arguments answer a question instead of asking anew. */
export function isResumption(args: JsonObject): boolean {
  return typeof args.resume === 'string' && 'answer' in args;
}

/** What was answered, read as the question means it. Throws `answer-invalid`. */
export function readAnswer(question: Question, answer: Json): Json {
  if (question.type === 'approval') return readApproval(question, answer);
  const { schema } = question;
  const problems = problemsOf(schema, answer);
  // Who can only write text writes data as its JSON.
  const written = problems.length > 0 && typeof answer === 'string' ? parse(answer) : undefined;
  if (written !== undefined && problemsOf(schema, written).length === 0) return written;
  if (problems.length > 0)
    throw new AgentError('answer-invalid', `The answer to "${question.text}" does not fit: ${problems.join('; ')}.`);
  if (question.choices && !question.choices.includes(String(answer)))
    throw new AgentError('answer-invalid', `"${String(answer)}" is none of: ${question.choices.join(', ')}.`);
  return answer;
}

export interface Approval {
  readonly isApproved: boolean;
  readonly reason: string;
}

function readApproval(question: Question, answer: Json): Json {
  if (typeof answer === 'boolean') return { isApproved: answer, reason: '' };
  if (isObject(answer)) {
    const { isApproved = answer.approved, reason } = answer as Record<string, unknown>;
    if (typeof isApproved === 'boolean') return { isApproved, reason: typeof reason === 'string' ? reason : '' };
  }
  const words = typeof answer === 'string' ? answer.trim().toLowerCase() : '';
  if (/^(y|yes|ok|true|approve|approved|allow)$/.test(words)) return { isApproved: true, reason: '' };
  if (/^(n|no|false|deny|denied|refuse|reject)$/.test(words)) return { isApproved: false, reason: '' };
  throw new AgentError('answer-invalid', `"${question.text}" is answered with yes or no.`);
}

/** Why a call that was not approved is not run. */
export function denied(tool: string, { reason }: Approval): Failure {
  const why = reason.trim() === '' ? '' : `: ${reason.trim()}`;
  return toFailure(new AgentError('approval-denied', `A person did not approve this call of ${tool}${why}.`));
}

/** An answer as the model that asked reads it. */
export function answerText(answer: Json): string {
  return typeof answer === 'string' ? answer : JSON.stringify(answer);
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
