// Words as the answer to a question: as a program would give it, or as a person at the terminal would.

import { AgentError, isAgentError, type JsonObject, type Question, readAnswer } from '@ai-agent/core';
import { toForm } from './question-form.ts';

/** A number stands for a choice. Throws `answer-invalid`. */
export function toAnswer(question: Question, words: string): string | JsonObject {
  if (fits(question, words)) return words;
  const typed = toForm(question).read(words.trim());
  if ('wrong' in typed) throw new AgentError('answer-invalid', typed.wrong);
  const { answer } = typed;
  if (typeof answer === 'string') return answer;
  const isObject = typeof answer === 'object' && answer !== null && !Array.isArray(answer);
  return isObject ? (answer as JsonObject) : JSON.stringify(answer);
}

/** A choice that is a number is meant before the place of another. */
function fits(question: Question, words: string): boolean {
  try {
    readAnswer(question, words);
    return true;
  } catch (error) {
    if (!isAgentError(error)) throw error;
    return false;
  }
}
