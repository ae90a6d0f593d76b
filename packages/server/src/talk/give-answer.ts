// A session that waits for this request goes on with it: with what its client has run for it, or with an answer.

import { type ClientAnswer, isAgentError, messageOf } from '@ai-agent/core';
import type { Answering } from '../asked.ts';
import { resume } from '../resume.ts';
import type { Conversing, Going } from './conversing.ts';
import { answersIn, filesOf, type Tail, wordsOf } from './tail-of-talk.ts';
import type { Waiting, WaitingCalls } from './talk-memory.ts';

/** An answer that does not fit: the question stands, and is asked again with what was wrong. */
export interface AskedAgain {
  readonly waiting: Waiting;
  readonly complaint: string;
}

/** Throws what `resume` throws. */
export async function bringResults(
  conversing: Conversing,
  going: Going,
  { calls, tail }: { readonly calls: WaitingCalls; readonly tail: Tail },
): Promise<Answering> {
  const { hall, memory } = conversing;
  const { sessionId, answeredBefore } = calls;
  const answering = await resume(hall, sessionId, { ...going, answeredBefore, results: toAnswer(calls, tail) });
  await memory.forgetCalls(calls);
  return orWaits(conversing, answering, (waiting) => memory.keepOn({ ...calls, ...waiting }));
}

/** What was said beside the results is heard after them; what came with it goes with the last of them. */
function toAnswer({ ids }: WaitingCalls, { returned, said }: Tail): ClientAnswer {
  const given = returned.flatMap(({ id, text, isError, files = [] }) => {
    const known = Object.hasOwn(ids, id) ? ids[id] : undefined;
    return known === undefined ? [] : [{ id: known, text, isError, files }];
  });
  const more = filesOf(said);
  const withFiles = given.map((result, i) =>
    i === given.length - 1 ? { ...result, files: [...result.files, ...more] } : result,
  );
  const say = wordsOf(said);
  return { results: withFiles, ...(say === '' ? {} : { say }) };
}

/** Throws what `resume` throws, but for an answer that does not fit. */
export async function giveAnswer(
  conversing: Conversing,
  going: Going,
  { waiting, tail }: { readonly waiting: Waiting; readonly tail: Tail },
): Promise<Answering | AskedAgain> {
  const { hall, memory } = conversing;
  const { sessionId, answeredBefore } = waiting;
  let complaint: string | undefined;
  for (const answer of answersIn(tail.said))
    try {
      const answering = await resume(hall, sessionId, { ...going, answeredBefore, answer });
      return orWaits(conversing, answering, (still) => memory.keepQuestion(answering.head, tail.before, still));
    } catch (error) {
      if (!isAgentError(error) || error.code !== 'answer-invalid') throw error;
      complaint ??= messageOf(error);
    }
  return { waiting, complaint: complaint ?? '' };
}

/** One that could not even open to go on waits as it did, for who comes again. */
function orWaits(
  { hall, visitor }: Conversing,
  answering: Answering,
  keep: (waiting: Waiting) => Promise<void>,
): Answering {
  const { head, originId } = answering;
  const keepOn = async () => {
    const { id: sessionId, resume: handle, resumptions: answeredBefore } = await hall.session(head.id, visitor);
    // Its own would be that of the run which ended now.
    if (handle !== undefined && handle !== originId) await keep({ sessionId, answeredBefore });
  };
  // What is forgotten by then cannot be gone on with.
  return { ...answering, outcome: answering.outcome.finally(() => keepOn().catch(() => {})) };
}
