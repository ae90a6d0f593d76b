// One request of a conversation: goes on with the session that waits for it, or begins a new one with all that was said.

import {
  AgentError,
  type ClientAnswer,
  clientTool,
  isAgentError,
  type Message,
  messageOf,
  type ToolOffer,
} from '@ai-agent/core';
import { answer } from '../answer.ts';
import type { Answering, Asked } from '../asked.ts';
import { checkWords } from '../check-input.ts';
import type { Hall } from '../hall.ts';
import { resume } from '../resume.ts';
import { answersIn, filesOf, type Tail, tailOf, wordsOf } from './tail-of-talk.ts';
import type { Talk } from './talk.ts';
import type { TalkMemory, Waiting, WaitingCalls } from './talk-memory.ts';
import { wordsToModel } from './words-to-model.ts';

export interface Conversing extends Pick<Asked, 'visitor' | 'headend' | 'above' | 'signal' | 'onEvent' | 'onFact'> {
  readonly hall: Hall;
  readonly memory: TalkMemory;
  readonly talk: Talk;
}

/** An answer that does not fit: the question stands, and is asked again with what was wrong. */
export interface AskedAgain {
  readonly waiting: Waiting;
  readonly complaint: string;
}

/** Throws what is wrong with the request. */
export async function converse(conversing: Conversing): Promise<Answering | AskedAgain> {
  const { talk, memory, visitor, hall } = conversing;
  const { name } = hall.agent(talk.agent, visitor);
  const tail = tailOf(talk.messages);
  const ids = tail.returned.map(({ id }) => id);
  const calls = memory.findCalls(ids, name, visitor);
  const returned = calls && (await bringResults(conversing, calls, tail));
  if (returned) return returned;
  const question = tail.results ? undefined : memory.findQuestion(name, visitor, tail.before);
  return (question && (await giveAnswer(conversing, question, tail))) ?? begin(conversing, tail);
}

/** Nothing when the session is not there any more: then all of it is replayed. */
async function bringResults(conversing: Conversing, calls: WaitingCalls, tail: Tail): Promise<Answering | undefined> {
  const { hall, memory } = conversing;
  try {
    const results = toAnswer(calls, tail);
    const answering = await resume(hall, calls.sessionId, { ...going(conversing), ...calls, results });
    memory.forgetCalls(calls);
    answering.outcome.then(
      // Who asks again goes on from where it was.
      (outcome) => 'failure' in outcome && memory.keepOn({ ...calls, answeredBefore: answering.head.resumptions }),
      // One that never began waits as it did.
      () => memory.keepOn(calls),
    );
    return answering;
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** What was said beside the results is heard after them; what came with it goes with the last of them. */
function toAnswer({ ids }: WaitingCalls, { returned, said }: Tail): ClientAnswer {
  const given = returned.flatMap(({ id, text, isError, files = [] }) => {
    const known = ids.get(id);
    return known === undefined ? [] : [{ id: known, text, isError, files }];
  });
  const more = filesOf(said);
  const withFiles = given.map((result, i) =>
    i === given.length - 1 ? { ...result, files: [...result.files, ...more] } : result,
  );
  const say = wordsOf(said);
  return { results: withFiles, ...(say === '' ? {} : { say }) };
}

async function giveAnswer(
  conversing: Conversing,
  waiting: Waiting,
  { said }: Tail,
): Promise<Answering | AskedAgain | undefined> {
  const { hall } = conversing;
  let complaint: string | undefined;
  for (const answer of answersIn(said))
    try {
      return await resume(hall, waiting.sessionId, { ...going(conversing), ...waiting, answer });
    } catch (error) {
      if (isGone(error)) return undefined;
      if (!isAgentError(error) || error.code !== 'answer-invalid') throw error;
      complaint ??= messageOf(error);
    }
  return { waiting, complaint: complaint ?? '' };
}

function isGone(error: unknown): boolean {
  return isAgentError(error) && (error.code === 'question-unknown' || error.code === 'session-unknown');
}

function begin(conversing: Conversing, { before, results, said }: Tail): Answering {
  const { hall, talk, visitor } = conversing;
  const prompt = said.at(-1);
  const words = prompt ? wordsOf([prompt]) : '';
  const files = prompt ? filesOf([prompt]) : [];
  if (words === '' && files.length === 0 && !(results && !prompt))
    throw new AgentError('request-invalid', 'The last message is empty: it is what you ask.');
  if (prompt) checkWords(hall.agent(talk.agent, visitor), words);
  const history: readonly Message[] = [...before, ...(results ? [results] : []), ...said.slice(0, -1)];
  return answer(hall, {
    ...going(conversing),
    agent: talk.agent,
    prompt: words,
    headend: conversing.headend,
    ...(talk.output ? { output: talk.output } : {}),
    ...(history.length > 0 ? { history } : {}),
    ...(files.length > 0 ? { attachments: files } : {}),
  });
}

/** What a session is given, whether it begins or goes on. */
function going({ hall, talk, visitor, above, signal, onEvent, onFact }: Conversing) {
  const tools: readonly ToolOffer[] = talk.tools.map(clientTool);
  const instructions = wordsToModel(talk, hall.agent(talk.agent, visitor).agent);
  return {
    visitor,
    above,
    signal,
    onEvent,
    onFact,
    ...(instructions === '' ? {} : { instructions }),
    ...(tools.length > 0 ? { tools } : {}),
  };
}
