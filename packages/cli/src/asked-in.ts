// What a round of a session was asked: a message, or the answer to a question that stood open.

import { type Fact, isObject, type Json, type Question, type UserMessage } from '@ai-agent/core';

export type SessionStart = Extract<Fact, { type: 'session-start' }>;

export interface Asked {
  /** As somebody wrote it; empty where the facts do not say. */
  readonly said: string;
  /** What was answered with it. */
  readonly question?: Question;
}

/** `facts` are those of one round. */
export function askedIn(facts: Iterable<Fact>): Asked {
  const all = [...facts];
  const start = startIn(all);
  const last = start?.messages.at(-1);
  if (start && last?.role === 'user' && !isOurs(start, start.messages.length - 1)) return { said: wordsOf(last) };
  const [answered] = answersIn(all);
  return answered ? { said: answered.said, question: answered.question } : { said: start?.request?.text ?? '' };
}

/** Whether a message that it began with was said by the house, where it goes on in the middle: that an answer does not fit. */
export function isOurs({ request }: SessionStart, at: number): boolean {
  return request !== undefined && at > request.at;
}

export function startIn(facts: Iterable<Fact>): SessionStart | undefined {
  for (const fact of facts) if (fact.type === 'session-start' && fact.trace.parentId === null) return fact;
  return undefined;
}

/** Every question that a person answered, in the order of the answers; what an agent asks its caller is answered by a model. */
export function answersIn(facts: Iterable<Fact>): readonly Required<Asked>[] {
  const open = new Map<string, Question>();
  const answers: Required<Asked>[] = [];
  for (const fact of facts) {
    const name = `${fact.trace.selfId}/${fact.op}`;
    if (fact.type === 'question-start') open.set(name, fact.question);
    const question = fact.type === 'question-end' ? open.get(name) : undefined;
    if (question?.to === 'person' && fact.type === 'question-end' && fact.answer !== undefined)
      answers.push({ said: answerInWords(fact.answer), question });
  }
  return answers;
}

/** What a person was asked last, where nobody has closed it. */
export function openIn(facts: Iterable<Fact>): Question | undefined {
  const open = new Map<string, Question>();
  for (const fact of facts) {
    const name = `${fact.trace.selfId}/${fact.op}`;
    if (fact.type === 'question-start') open.set(name, fact.question);
    if (fact.type === 'question-end') open.delete(name);
  }
  return [...open.values()].at(-1);
}

/** Leave that was given or not is read as yes or no. */
export function answerInWords(answer: Json): string {
  if (typeof answer === 'string') return answer;
  if (!isObject(answer) || typeof answer.isApproved !== 'boolean') return JSON.stringify(answer);
  const reason = typeof answer.reason === 'string' && answer.reason !== '' ? `: ${answer.reason}` : '';
  return `${answer.isApproved ? 'yes' : 'no'}${reason}`;
}

export function wordsOf({ content }: UserMessage): string {
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.mediaType}]`)).join('');
}
