// A talk with whoever sits at the terminal: a prompt, an answer, and so on until they leave.

import { exitCodes } from '../../exit-codes.ts';
import type { Keyboard, KeyboardOptions } from '../../keyboard.ts';
import type { Terminal } from '../../terminal.ts';
import { answerMessage } from './answer-message.ts';
import { readTyped } from './message.ts';
import { Prompt } from './prompt.ts';
import { runSlashCommand, slashCommands } from './slash-commands.ts';
import type { Talk } from './talk.ts';
import { TalkKeys } from './talk-keys.ts';
import { TalkSignals } from './talk-signals.ts';
import { greet, recall, tellQuestion } from './talk-words.ts';
import { TypeAhead } from './type-ahead.ts';
import { TypedHistory } from './typed-history.ts';

export interface AtTerminal {
  readonly terminal: Terminal;
  readonly openKeyboard: (options?: KeyboardOptions) => Promise<Keyboard>;
  /** Where what was typed is kept. @default nowhere */
  readonly historyFile?: string | undefined;
}

export async function talkAtTerminal(talk: Talk, at: AtTerminal): Promise<number> {
  const { terminal, openKeyboard, historyFile } = at;
  const history = await TypedHistory.open(historyFile);
  const keys = await TalkKeys.open(openKeyboard);
  const commands = Object.keys(slashCommands).map((name) => `/${name}`);
  const prompt = new Prompt({ keys, history, commands, isColoured: terminal.isColoured });
  const signals = new TalkSignals(terminal, prompt);
  const lent = { ...terminal, openKeyboard: keys.lendTo(openKeyboard), onInterrupt: signals.onInterrupt };
  try {
    await greet(talk, terminal);
    recall(talk, terminal);
    await new Conversation(talk, { terminal: lent, keys, prompt, history, signals }).hold();
    return signals.isOver ? exitCodes.byClass.cancelled : exitCodes.ok;
  } finally {
    keys.close();
    signals.close();
    await history.whenWritten();
  }
}

interface Room {
  readonly terminal: Terminal;
  readonly keys: TalkKeys;
  readonly prompt: Prompt;
  readonly history: TypedHistory;
  readonly signals: TalkSignals;
}

class Conversation {
  readonly #talk: Talk;
  readonly #room: Room;
  readonly #ahead: TypeAhead;
  /** What stands at the next prompt. */
  #unsent = '';

  constructor(talk: Talk, room: Room) {
    this.#talk = talk;
    this.#room = room;
    this.#ahead = new TypeAhead(room.keys);
  }

  async hold(): Promise<void> {
    for (let isOver = false; !isOver; ) {
      const text = await this.#next();
      if (text === undefined) return;
      const typed = readTyped(text);
      if ('command' in typed) isOver = await this.#command(typed.command, typed.rest);
      else if ('message' in typed) await this.#answer(typed.message, text);
      isOver ||= this.#room.signals.isOver || this.#ahead.isOver;
    }
  }

  /** What was sent while the last answer came is next; else what is typed now. Nothing when they leave. */
  async #next(): Promise<string | undefined> {
    const { terminal, prompt, history } = this.#room;
    const sent = this.#ahead.next();
    if (sent !== undefined) {
      history.add(sent);
      terminal.stderr.write(`${this.#label}${sent}\n`);
      return sent;
    }
    const { question } = this.#talk;
    if (question) tellQuestion(question, terminal);
    const read = await prompt.read({ label: this.#label, text: this.#unsent });
    this.#unsent = '';
    return 'isLeft' in read ? undefined : read.text;
  }

  async #command(name: string, rest: string): Promise<boolean> {
    const { terminal, prompt } = this.#room;
    const confirm = async (question: string) => {
      const read = await prompt.read({ label: question, isAnswer: true });
      return 'text' in read && /^y(es)?$/i.test(read.text.trim());
    };
    return runSlashCommand(name, rest, { talk: this.#talk, terminal, confirm });
  }

  /** After an answer that did not come, what waits is looked at again before it is sent. */
  async #answer(message: string, text: string): Promise<void> {
    const { terminal, signals } = this.#room;
    signals.expectRound();
    this.#ahead.begin();
    const { outcome, isWrongAnswer } = await answerMessage(this.#talk, message, { terminal, typed: this.#ahead.shown });
    this.#ahead.end();
    terminal.stderr.write('\n');
    const unsent = isWrongAnswer ? '' : text;
    if (!outcome) this.#unsent = [unsent, this.#ahead.take()].filter((part) => part !== '').join('\n');
    else if (outcome.status === 'completed') this.#unsent = this.#ahead.hasSent ? '' : this.#ahead.take();
    else this.#unsent = this.#ahead.take();
  }

  get #label(): string {
    return `${this.#talk.setting.about.agent}> `;
  }
}
