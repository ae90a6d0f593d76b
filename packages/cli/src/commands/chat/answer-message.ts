// One message of a talk and its answer: whatever goes wrong is said, and the talk goes on.

import { AgentError, isAgentError, type Outcome, oneLine, toFailedDocument, toFailure } from '@ai-agent/core';
import { exitCodeOf, exitCodes } from '../../exit-codes.ts';
import { toJson } from '../../render/to-json.ts';
import type { Terminal } from '../../terminal.ts';
import type { RunRequest } from '../run/run-request.ts';
import type { Talk } from './talk.ts';
import { hasSummedUp, sayDim, tellUnkept, toFooter } from './talk-words.ts';

export interface Answered {
  readonly code: number;
  /** Missing when nothing was run: the message may be sent again. */
  readonly outcome?: Outcome;
  /** Whether it was no answer to what is asked: it is asked again, as if nothing had been typed. */
  readonly isWrongAnswer?: boolean;
}

export async function answerMessage(
  talk: Talk,
  message: string,
  { terminal, ...more }: { readonly terminal: Terminal } & Pick<RunRequest, 'typed'>,
): Promise<Answered> {
  const { request } = talk.setting;
  const why = talk.whyNot(message);
  try {
    if (why !== undefined) throw new AgentError('session-input-invalid', why);
    const outcome = await talk.say(message, terminal, more);
    if (request.detail !== 'errors') tellAfter(outcome, terminal);
    tellUnkept(talk, terminal);
    return { code: exitCodeOf(outcome, request.isStrict), outcome };
  } catch (error) {
    const failure = toFailure(error);
    if (!isAgentError(error)) throw error;
    if (request.print === 'json') terminal.stdout.write(`${toJson(toFailedDocument(failure), terminal.stdout)}\n`);
    terminal.stderr.write(
      `failed (${failure.class}): ${oneLine(failure.message)}\nWhat to do: ${oneLine(failure.remedy)}\n`,
    );
    return { code: exitCodes.byClass[failure.class], isWrongAnswer: error.code === 'answer-invalid' };
  }
}

function tellAfter(outcome: Outcome, terminal: Terminal): void {
  if (hasSummedUp(outcome)) sayDim('What was said before was summed up, to make room.', terminal);
  sayDim(toFooter(outcome), terminal);
}
