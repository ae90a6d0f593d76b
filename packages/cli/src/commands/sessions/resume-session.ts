// `ai-agent sessions resume <id> [message…]`: answers the question of a session, or goes on with it.

import {
  AgentError,
  type Fact,
  isAgentError,
  isUnderWay,
  type Json,
  oneLine,
  type Question,
  readAnswer,
  type SessionHead,
} from '@ai-agent/core';
import { flagValue, type Misuse, type Word, type Words } from '../../arguments.ts';
import { type Asked, answersIn, wordsOf } from '../../asked-in.ts';
import { findSession } from '../../find-session.ts';
import { toPrintable } from '../../render/printable.ts';
import type { Terminal } from '../../terminal.ts';
import { Person } from '../run/ask-person.ts';
import { bounded } from '../run/bounded.ts';
import { toLines } from '../run/question-form.ts';
import { isUnfinished } from './kept-session.ts';
import { fileOf } from './with-session.ts';
import { opened, withStore } from './with-store.ts';

/** A run that goes on with it: the same file, and the same ways to end. */
export async function run(words: Words, terminal: Terminal): Promise<number | Misuse> {
  const [id, ...said] = words.words;
  const answer = flagValue(words, '--answer');
  if (!id) return { problem: 'Which session? Write its id, or the first letters of it; sessions list has them.' };
  if (answer !== undefined && said.length > 0) return { problem: 'Choose one of --answer and a message.' };
  const found = await withStore(words, terminal, async (store) => {
    const sessions = opened(store);
    const head = await findSession(sessions.store, id.text);
    const isTold = answer === undefined && (said.length > 0 || head.question !== undefined);
    const facts = isTold ? [] : await sessions.store.facts(head.id, 0);
    const again = saidLast(facts);
    return { head, where: sessions.choice.where, answered: answersIn(facts).at(-1), again };
  });
  if (typeof found === 'number' || 'problem' in found) return found;
  const { head, where, answered, again } = found;
  const file = flagValue(words, '--agent-file') ?? fileOf(head);
  if (file === undefined)
    return {
      problem: `The session ${head.id} came through ${head.headend}: name the file of ${head.agent} with --agent-file.`,
    };
  const prompt = await toPrompt(head, { said, answer, answered, terminal });
  if (typeof prompt === 'number' || 'problem' in prompt) return prompt;
  const own = ['--answer', '--agent-file', '--store'];
  const flags = words.flags.filter(([name]) => !own.includes(name));
  const going = {
    words: [literal(file), ...prompt],
    flags: [...flags, ['--session', head.id], ['--store', where]] as const,
  };
  const isLeftOut = answer === undefined && said.length === 0 && !head.question;
  return (await import('../run/run-file.ts')).run(going, terminal, isLeftOut ? again : undefined);
}

/** What an agent that takes JSON is asked once more, when nothing else is said: words would not fit. */
function saidLast(facts: readonly Fact[]): string | undefined {
  const messages = facts.flatMap((fact) =>
    fact.type === 'session-start' && fact.trace.parentId === null ? fact.messages : [],
  );
  const last = messages.findLast((message) => message.role === 'user');
  return last && wordsOf(last);
}

interface Saying {
  readonly said: readonly Word[];
  readonly answer: string | undefined;
  /** What it was answered last, where it waits for nothing now. */
  readonly answered: Required<Asked> | undefined;
  readonly terminal: Terminal;
}

async function toPrompt(
  head: SessionHead,
  { said, answer, answered, terminal }: Saying,
): Promise<readonly Word[] | Misuse | number> {
  const { id, question, status } = head;
  if (isUnderWay(head)) throw new AgentError('session-busy', `The session ${id} is at work.`);
  if (answer !== undefined && !question)
    return { problem: `The session ${id} ${answered ? wasAnswered(answered) : 'has asked nothing'}. ${sayOn}` };
  if (answer !== undefined) return [literal(answer)];
  if (said.length > 0) return said;
  if (question) return askNow(question, terminal);
  if (isUnfinished(head)) return [literal(goOn)];
  return { problem: `The session ${id} is ${status}: write what is to be said to it.` };
}

const sayOn = 'Write what is to be said to it, without --answer.';

function wasAnswered({ said, question }: Required<Asked>): string {
  const [asked, answer] = [question.text, said].map((text) => bounded(oneLine(toPrintable(text)), 100));
  return `waits for no answer: "${asked}" was answered with "${answer}"`;
}

/** What a person would say. */
const goOn = 'Go on from where you were interrupted.';

/** At a terminal as a run would; elsewhere it is shown, and that is all. */
async function askNow(question: Question, { openKeyboard, stderr }: Terminal): Promise<readonly Word[] | number> {
  if (!openKeyboard) {
    stderr.write(`needs_user_input: ${toLines(question).join('\n')}\nWhat to do: Answer it with --answer "…".\n`);
    return waits;
  }
  let given: Json | undefined;
  const hear = (_: string, answer: Json) => {
    readAnswer(question, answer);
    given = answer;
  };
  try {
    await new Person({ openKeyboard, aside: () => () => {}, answer: hear, staysOpen: true }).onQuestion(question);
  } catch (error) {
    if (!isAgentError(error)) throw error;
  }
  if (given === undefined) return waits;
  return [literal(typeof given === 'string' ? given : JSON.stringify(given))];
}

/** The exit code of what waits for an answer. */
const waits = 6;

function literal(text: string): Word {
  return { text, isLiteral: true };
}
