// Asks whoever sits at the terminal what a run wants to know: one question after the other, with the panel out of the way.

import type { Interface } from 'node:readline/promises';
import {
  AgentError,
  type AgentEvent,
  isAgentError,
  type Json,
  type JsonObject,
  type OnQuestion,
  oneLine,
  type Question,
} from '@ai-agent/core';
import type { Keyboard } from '../../keyboard.ts';
import { bounded } from './bounded.ts';
import type { Typed } from './question-choices.ts';
import { type Field, type Filling, fieldsIn, fieldsOf, fillIn } from './question-fields.ts';
import { type Form, toForm, toHead } from './question-form.ts';

export interface Asking {
  /** Opens the keys of whoever is asked. */
  readonly openKeyboard: () => Promise<Keyboard>;
  /** Takes the panel off the screen, until what it returns is called. */
  readonly aside: () => () => void;
  /** Hands in an answer. Throws `answer-invalid`, or `question-unknown` when it is too late. */
  readonly answer: (handle: string, answer: Json) => void;
  /** Whether it can be answered later, when whoever is asked has gone. */
  readonly staysOpen: boolean;
  /** Whether nobody goes on without an answer: the question waits for another time. @default false */
  readonly isLater?: boolean;
}

export class Person {
  readonly #asking: Asking;
  readonly #open = new Map<string, { readonly question: Question; readonly closing: AbortController }>();
  #last: Promise<unknown> = Promise.resolve();
  #panelBack: (() => void) | undefined;
  /** Whether they are gone, and what is asked stays open. */
  #isGone = false;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  /** Settles when the question is over: it is answered by its handle. Rejects when the person gives no answer. */
  readonly onQuestion: OnQuestion = (question) => {
    const { handle } = question;
    const closing = new AbortController();
    this.#open.set(handle, { question, closing });
    this.#panelBack ??= this.#asking.aside();
    if (this.#isGone) closing.abort();
    const asked = this.#last
      .then(() => this.#ask(question, closing.signal))
      .finally(() => this.#settle(handle))
      .then(() => {
        if (this.#isGone) throw new AgentError('question-left', 'Whoever was asked has left.');
      });
    this.#last = asked.catch(() => {});
    return asked;
  };

  /** A question that is over elsewhere is taken back: somebody else answered, or its call or its session ended. */
  readonly onEvent = (event: AgentEvent): void => {
    if (this.#open.size === 0) return;
    const { selfId } = event.trace;
    if (event.type === 'question-end') this.#open.get(`${selfId}/${event.op}`)?.closing.abort();
    if (event.type === 'operation-end') this.#takeBack(({ handle }) => handle.startsWith(`${selfId}/${event.op}.ask.`));
    if (event.type === 'session-end') this.#takeBack(({ sessionId }) => sessionId === selfId);
  };

  /** Nothing is asked any more; what stands is taken back. */
  leave(): void {
    this.#takeBack(() => true);
  }

  /** The same, and whoever asks ends with its question. Whether there is one, and none of a tool that would go on without. */
  leaveOpen(): boolean {
    if (this.#isGone || !this.#asking.staysOpen) return this.#isGone;
    const handles = [...this.#open.keys()];
    if (handles.length === 0 || handles.some((handle) => handle.includes('.ask.'))) return false;
    this.#isGone = true;
    this.leave();
    return true;
  }

  #takeBack(isOver: (question: Question) => boolean): void {
    for (const { question, closing } of this.#open.values()) if (isOver(question)) closing.abort();
  }

  #settle(handle: string): void {
    this.#open.delete(handle);
    if (this.#open.size > 0) return;
    this.#panelBack?.();
    this.#panelBack = undefined;
  }

  async #ask(question: Question, closed: AbortSignal): Promise<void> {
    if (closed.aborted) return;
    const keyboard = await this.#asking.openKeyboard();
    const { createInterface } = await import('node:readline/promises');
    const { keys: input, screen: output } = keyboard;
    // Keys end with their terminal alone, and before its signal comes: Ctrl-D is one of them. Whoever reads in the moment of its
    // end reads an error.
    const onEnd = () => void this.leaveOpen();
    input.once('end', onEnd).once('error', onEnd);
    const lines = createInterface({ input, output, terminal: true, historySize: 0 });
    lines.on('SIGINT', keyboard.interrupt);
    // It hands on what its input says, also when nobody waits for a line any more.
    lines.on('error', onEnd);
    const say = (text: string) => output.write(`${text}\n`);
    // At once: whoever goes on writing, or ends the process, finds the terminal as it was.
    const takeBack = () => {
      lines.close();
      say('');
    };
    try {
      if (closed.aborted) return;
      closed.addEventListener('abort', takeBack);
      await this.#converse(question, { lines, say, closed });
    } catch (error) {
      // Of a terminal that is gone nothing can be set any more.
      if (!closed.aborted) throw error;
    } finally {
      input.off('end', onEnd).off('error', onEnd);
      closed.removeEventListener('abort', takeBack);
      lines.close();
      keyboard.release();
    }
  }

  /** Until there is an answer that fits, or none will be given. */
  async #converse(question: Question, { lines, say, closed }: Conversation): Promise<void> {
    const nextLine = lineReader(lines);
    const fields = fieldsOf(question);
    if (fields) return this.#fillIn(question, fields, { nextLine, say, closed });
    const form = toForm(question);
    say(`\n${form.lines.join('\n')}`);
    for (let isWarned = false; ; ) {
      const line = await nextLine(form.prompt);
      if (closed.aborted) return;
      if (line === undefined) say('');
      const isLast = isWarned || form.empty !== undefined;
      if (line === undefined || (line === '' && isLast)) return this.#doWithout(question, form, line);
      isWarned = line === '';
      const wrong = isWarned
        ? `That was empty. Write an answer, or ${this.#without}.`
        : this.#try(question, form.read(line));
      if (wrong === undefined) return;
      say(wrong);
    }
  }

  /** The same, field by field. */
  async #fillIn(question: Question, fields: readonly Field[], { closed, ...filling }: FillingIn): Promise<void> {
    filling.say(`\n${toHead(question).join('\n')}`);
    let answer: JsonObject | undefined = {};
    for (let asked = fields; ; ) {
      answer = await fillIn(asked, { ...filling, without: this.#without }, answer);
      if (closed.aborted) return;
      if (answer === undefined) return this.#doWithout(question, {});
      const wrong = this.#try(question, { answer });
      if (wrong === undefined) return;
      filling.say(wrong);
      asked = fieldsIn(wrong.slice(wrong.indexOf(misfit)), fields);
    }
  }

  /** What to do to give none, and what that comes to. */
  get #without(): string {
    return `press Enter once more to ${this.#asking.isLater ? 'leave it open' : 'go on without one'}`;
  }

  /** Of an empty line a question may say what it means; that no more lines come means nothing where it can wait. */
  #doWithout(question: Question, { empty }: Pick<Form, 'empty'>, line?: string): void {
    if (empty === undefined || (line === undefined && this.#asking.isLater))
      throw new AgentError('tool-failed', 'the person gave no answer.');
    this.#hand(question, empty);
  }

  /** What is wrong with what was typed; nothing when it was the answer. */
  #try(question: Question, typed: Typed): string | undefined {
    if ('wrong' in typed) return typed.wrong;
    try {
      this.#hand(question, typed.answer);
      return undefined;
    } catch (error) {
      if (!isAgentError(error) || error.code !== 'answer-invalid') throw error;
      return bounded(oneLine(error.message), 500);
    }
  }

  #hand({ handle }: Question, answer: Json): void {
    try {
      this.#asking.answer(handle, answer);
    } catch (error) {
      // Meanwhile it was closed, and nobody waits for it.
      if (!isAgentError(error) || error.code !== 'question-unknown') throw error;
    }
  }
}

interface Conversation {
  readonly lines: Interface;
  readonly say: (text: string) => void;
  readonly closed: AbortSignal;
}

interface FillingIn extends Omit<Filling, 'without'> {
  readonly closed: AbortSignal;
}

/** Where the question ends in what is said of an answer to it. */
const misfit = ' does not fit: ';

/** Line by line, also when several came at once; nothing after Ctrl-D, when the question is closed, and of a terminal that is gone. */
function lineReader(lines: Interface): (prompt: string) => Promise<string | undefined> {
  const typed = lines[Symbol.asyncIterator]();
  let isClosed = false;
  lines.once('close', () => {
    isClosed = true;
  });
  return async (prompt) => {
    lines.setPrompt(prompt);
    if (!isClosed) lines.prompt();
    const { done, value } = await typed.next().catch(() => ({ done: true, value: '' }));
    return done ? undefined : value.trim();
  };
}
