// `ai-agent sessions resume <id> [message…]`: answers the question of a session, or goes on with it.

import { AgentError, type Fact, isUnderWay, oneLine, type SessionHead } from '@ai-agent/core';
import { flagValue, type Misuse, type Word, type Words } from '../../arguments.ts';
import { type Asked, answersIn, openIn, startIn, wordsOf } from '../../asked-in.ts';
import { findSession } from '../../find-session.ts';
import { toPrintable } from '../../render/printable.ts';
import type { Terminal } from '../../terminal.ts';
import { bounded } from '../run/bounded.ts';
import { toStoreFlag } from '../run/kept-run.ts';
import { askNow } from './ask-now.ts';
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
    const head = await findSession(sessions, id.text);
    const isTold = answer === undefined && (said.length > 0 || head.question !== undefined);
    const facts = isTold ? [] : await sessions.store.facts(head.id, 0);
    return { head, where: sessions.choice.where, storeFlag: toStoreFlag(sessions), facts };
  });
  if (typeof found === 'number' || 'problem' in found) return found;
  const { head, where, storeFlag, facts } = found;
  const file = flagValue(words, '--agent-file') ?? fileOf(head);
  if (file === undefined)
    return {
      problem: `The session ${head.id} came through ${head.headend}: name the file of ${head.agent} with --agent-file.`,
    };
  const prompt = await toPrompt(head, { said, answer, facts, storeFlag, terminal });
  if (typeof prompt === 'number' || 'problem' in prompt) return prompt;
  const own = ['--answer', '--agent-file', '--store'];
  const flags = words.flags.filter(([name]) => !own.includes(name));
  const going = {
    words: [literal(file), ...prompt],
    flags: [...flags, ['--session', head.id], ['--store', where]] as const,
  };
  const isLeftOut = answer === undefined && said.length === 0 && !head.question;
  return (await import('../run/run-file.ts')).run(going, terminal, isLeftOut ? saidLast(facts) : undefined);
}

/** What an agent that takes JSON is asked once more, when nothing else is said: words would not fit. */
function saidLast(facts: readonly Fact[]): string | undefined {
  const start = startIn([...facts].reverse());
  const last = start?.messages.findLast((message) => message.role === 'user');
  return start?.request?.text ?? (last && wordsOf(last));
}

interface Saying {
  readonly said: readonly Word[];
  readonly answer: string | undefined;
  /** Those of the session, where it may wait for nothing. */
  readonly facts: readonly Fact[];
  readonly storeFlag: string;
  readonly terminal: Terminal;
}

async function toPrompt(
  head: SessionHead,
  { said, answer, facts, storeFlag, terminal }: Saying,
): Promise<readonly Word[] | Misuse | number> {
  const { id, question, status } = head;
  if (isUnderWay(head)) throw new AgentError('session-busy', `The session ${id} is at work.`);
  if (answer !== undefined && !question) return { problem: `The session ${id} ${whyNoAnswer(head, facts)}` };
  if (answer !== undefined) return [literal(answer)];
  if (said.length > 0) return said;
  if (question) {
    const asked = await askNow({ head, question, storeFlag }, terminal);
    return typeof asked === 'number' ? asked : [literal(asked.answer)];
  }
  if (isUnfinished(head)) return [literal(goOn)];
  return { problem: `The session ${id} is ${status}: write what is to be said to it.` };
}

/** A question that nobody has answered went with the process that asked. */
function whyNoAnswer({ id, status }: SessionHead, facts: readonly Fact[]): string {
  const open = status === 'interrupted' ? openIn(facts) : undefined;
  if (open)
    return `had asked ${quoted(open.text)}, and the process that asked is gone: ai-agent sessions resume ${id} goes on, and it may ask again.`;
  const answered = answersIn(facts).at(-1);
  return `${answered ? wasAnswered(answered) : 'has asked nothing'}. Write what is to be said to it, without --answer.`;
}

function wasAnswered({ said, question }: Required<Asked>): string {
  return `waits for no answer: ${quoted(question.text)} was answered with ${quoted(said)}`;
}

function quoted(text: string): string {
  return `"${bounded(oneLine(toPrintable(text)), 100)}"`;
}

/** What a person would say. */
const goOn = 'Go on from where you were interrupted.';

function literal(text: string): Word {
  return { text, isLiteral: true };
}
