// Words as the answer to a question: as a program would give it, or as a person at the terminal would.

import { AgentError, isAgentError, type JsonObject, type Question, readAnswer } from '@ai-agent/core';
import { toForm } from './question-form.ts';

/** A number stands for a choice. Throws `answer-invalid`. */
export function toAnswer(question: Question, words: string): string | JsonObject {
  const misfit = misfitOf(question, words);
  if (!misfit) return words;
  const typed = toForm(question).read(words.trim());
  if ('wrong' in typed) throw toError(question, misfit, typed.wrong);
  const { answer } = typed;
  if (typeof answer === 'string') return answer;
  const isObject = typeof answer === 'object' && answer !== null && !Array.isArray(answer);
  return isObject ? (answer as JsonObject) : JSON.stringify(answer);
}

/** Whoever is told may not have the choices before them. */
function toError({ choices }: Question, { message }: AgentError, wrong: string): AgentError {
  return choices
    ? new AgentError('answer-invalid', message, { remedy: wrong })
    : new AgentError('answer-invalid', wrong);
}

/** Why it is none as it stands: a choice that is a number is meant before the place of another. */
function misfitOf(question: Question, words: string): AgentError | undefined {
  try {
    readAnswer(question, words);
    return undefined;
  } catch (error) {
    if (!isAgentError(error)) throw error;
    return error;
  }
}
