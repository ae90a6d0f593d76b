// The question of a session that is gone on with: asked of whoever sits at the terminal, and left open when they give no answer.

import { isAgentError, type Json, type Question, readAnswer, type SessionHead } from '@ai-agent/core';
import { exitCodes } from '../../exit-codes.ts';
import type { Heard } from '../../interrupts.ts';
import type { Terminal } from '../../terminal.ts';
import { type Asking as Attending, Person } from '../run/ask-person.ts';
import { toLines } from '../run/question-form.ts';
import { answerWith } from './with-session.ts';

export interface Asking {
  readonly head: SessionHead;
  readonly question: Question;
  /** What a command has to say to find it again. */
  readonly storeFlag: string;
}

/** The answer; or the exit code, where there is none and it was said how to give one. */
export async function askNow(
  { head, question, storeFlag }: Asking,
  terminal: Terminal,
): Promise<{ readonly answer: string } | number> {
  const { openKeyboard, stderr } = terminal;
  const how = `Answer it: ${answerWith(head, question)}${storeFlag}`;
  if (!openKeyboard) {
    stderr.write(`needs_user_input: ${toLines(question).join('\n')}\nWhat to do: ${how}\n`);
    return waits;
  }
  const { given, heard } = await hearPerson(question, { onSignal: terminal.onSignal, openKeyboard });
  if (given !== undefined && !heard) return { answer: typeof given === 'string' ? given : JSON.stringify(given) };
  stderr.write(`The question stays open. ${how}\n`);
  return heard ? exitCodes.byClass.cancelled : waits;
}

/** The exit code of what waits for an answer. */
const waits = 6;

interface HeardOf {
  readonly given: Json | undefined;
  /** The signal that ended it. */
  readonly heard: Heard | undefined;
}

/** Nothing runs yet: every signal takes the question away, and that is all. */
async function hearPerson(
  question: Question,
  { openKeyboard, onSignal }: Pick<Terminal, 'onSignal'> & Pick<Attending, 'openKeyboard'>,
): Promise<HeardOf> {
  let given: Json | undefined;
  let heard: Heard | undefined;
  const answer = (_: string, typed: Json) => {
    readAnswer(question, typed);
    given = typed;
  };
  const person = new Person({ openKeyboard, aside: () => () => {}, answer, staysOpen: true, isLater: true });
  const letGo = onSignal((signal) => {
    heard ??= signal;
    person.leave();
  });
  try {
    await person.onQuestion(question);
  } catch (error) {
    if (!isAgentError(error)) throw error;
  } finally {
    letGo();
  }
  return { given, heard };
}
