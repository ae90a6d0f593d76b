// One request of a conversation: goes on with the session that it names, or that waits for it, or begins a new one with all that was said.

import { AgentError, isAgentError, type Message } from '@ai-agent/core';
import { answer } from '../answer.ts';
import type { Answering, Asked } from '../asked.ts';
import { checkWords } from '../check-input.ts';
import { checkAgent, resume } from '../resume.ts';
import type { ServedAgent } from '../served-agent.ts';
import { type Conversing, goingOf } from './conversing.ts';
import { type AskedAgain, bringResults, giveAnswer } from './give-answer.ts';
import { filesOf, type Tail, tailOf, wordsOf } from './tail-of-talk.ts';
import type { WaitingCalls } from './talk-memory.ts';

/** Throws what is wrong with the request. */
export async function converse(conversing: Conversing): Promise<Answering | AskedAgain> {
  const { talk, memory, visitor, hall } = conversing;
  const { name } = hall.agent(talk.agent, visitor);
  const tail = tailOf(talk.messages);
  const ids = tail.returned.map(({ id }) => id);
  const calls = await memory.findCalls(ids, name, visitor);
  if (talk.session !== undefined) return goOn(conversing, talk.session, { name, tail, calls });
  const going = goingOf(conversing);
  const returned = calls && (await unlessGone(() => bringResults(conversing, going, { calls, tail })));
  if (returned) return returned;
  const question = tail.results ? undefined : await memory.findQuestion(name, visitor, tail.before);
  const answered = question && (await unlessGone(() => giveAnswer(conversing, going, { waiting: question, tail })));
  return answered ?? begin(conversing, tail);
}

interface Named {
  /** Of the agent that is asked. */
  readonly name: string;
  readonly tail: Tail;
  readonly calls: WaitingCalls | undefined;
}

/** With the session that is named: nothing else is meant. Throws `session-unknown`, `session-busy` and `question-unknown`. */
async function goOn(conversing: Conversing, id: string, { name, tail, calls }: Named): Promise<Answering | AskedAgain> {
  const { hall, visitor, talk } = conversing;
  const head = await hall.session(id, visitor);
  checkAgent(head, name);
  const going = goingOf(conversing);
  if (tail.results) {
    if (calls?.sessionId === id) return bringResults(conversing, going, { calls, tail });
    throw new AgentError('question-unknown', `The session ${id} does not wait for results of these calls.`, {
      remedy: 'Send the results of the calls that it made last, once; or a message.',
    });
  }
  const waiting = { sessionId: id, answeredBefore: head.resumptions };
  if (head.question) return giveAnswer(conversing, going, { waiting, tail });
  const { prompt, earlier } = toPrompt(hall.agent(name, visitor), tail);
  const history = earlier.length > 0 ? { history: earlier } : {};
  const { text: message, ...more } = prompt;
  return resume(hall, id, { ...going, message, ...more, ...history, ...(talk.output ? { output: talk.output } : {}) });
}

/** Nothing when the session is not there any more, or somebody else goes on with it: then all of it is replayed. */
async function unlessGone<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isAgentError(error) && gone.has(error.code)) return undefined;
    throw error;
  }
}

const gone = new Set<string>(['question-unknown', 'session-unknown', 'session-busy']);

function begin(conversing: Conversing, tail: Tail): Answering {
  const { hall, talk, visitor } = conversing;
  const { prompt, earlier } = toPrompt(hall.agent(talk.agent, visitor), tail);
  const { text, ...more } = prompt;
  const history: readonly Message[] = [...tail.before, ...(tail.results ? [tail.results] : []), ...earlier];
  return answer(hall, {
    ...goingOf(conversing),
    agent: talk.agent,
    prompt: text,
    ...more,
    ...(talk.output ? { output: talk.output } : {}),
    ...(history.length > 0 ? { history } : {}),
  });
}

interface Prompt extends Pick<Asked, 'attachments'> {
  readonly text: string;
}

/** What is asked, and what was said just before it. Throws `request-invalid` where nothing is. */
function toPrompt(
  served: ServedAgent,
  { results, said }: Tail,
): { readonly prompt: Prompt; readonly earlier: readonly Message[] } {
  // Beside results clients send messages in which nothing is said.
  const heard = said.filter((message) => wordsOf([message]) !== '' || filesOf([message]).length > 0);
  const last = results ? heard.at(-1) : said.at(-1);
  const text = last ? wordsOf([last]) : '';
  const files = last ? filesOf([last]) : [];
  if (!results && text === '' && files.length === 0)
    throw new AgentError('request-invalid', 'The last message is empty: it is what you ask.');
  if (last) checkWords(served, text);
  const prompt = { text, ...(files.length > 0 ? { attachments: files } : {}) };
  return { prompt, earlier: heard.filter((one) => one !== last) };
}
