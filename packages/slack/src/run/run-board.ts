// What a thread shows of a run while it works: a message that says how it stands, and another that grows with its words.

import type { Surroundings } from '../surroundings.ts';
import { AnswerStream } from './answer-stream.ts';
import { post, showFailed, toEdit } from './deliver.ts';
import { RunView } from './run-view.ts';
import { toStatus } from './status.ts';
import type { Thread } from './threads.ts';

export interface BoardOptions {
  readonly thread: Thread;
  /** Who reads it, and may end it. */
  readonly asker: string;
  /** As people know it. */
  readonly agent: string;
  /** What shows it at work already. @default nothing does */
  readonly statusTs?: string | undefined;
  /** Its words have a message of their own from now on. Never rejects. */
  onStream(): Promise<void>;
}

/** Slack takes edits of a message so far apart. */
const leastEditMs = 1_000;
/** So that all runs together stay within what Slack allows. */
const editShareMs = 1_500;
const pieceShareMs = 660;

export class RunBoard {
  readonly view = new RunView();
  readonly #startedAt: number;
  /** When something new was there last: Slack tells of that. */
  #newsAt: number;
  readonly #around: Surroundings;
  readonly #options: BoardOptions;
  readonly #stream: AnswerStream;
  #statusTs = '';
  #hasBegun = false;
  #wish: 'stop' | 'cancel' | undefined;
  #editedAt = Number.NEGATIVE_INFINITY;
  #streamedAt = Number.NEGATIVE_INFINITY;
  #isOver = false;
  #unset: () => void = () => {};
  /** What is being written now: one after the other, so that nothing late stands over the answer. */
  #writing: Promise<void> = Promise.resolve();

  constructor(around: Surroundings, options: BoardOptions) {
    this.#around = around;
    this.#options = options;
    const { thread, asker } = options;
    this.#stream = new AnswerStream({ api: around.api, thread, reader: asker });
    this.#startedAt = around.desk.clock.monotonicMs();
    // Who was shown it at work by another process has turned to something else since.
    this.#newsAt = options.statusTs === undefined ? this.#startedAt : Number.NEGATIVE_INFINITY;
  }

  /** Empty until it is there. */
  get statusTs(): string {
    return this.#statusTs;
  }

  get streamTs(): string | undefined {
    return this.#stream.ts;
  }

  /** Whether a stream may stand there that we do not know of. */
  get mayHaveLost(): boolean {
    return this.#stream.mayBeThere;
  }

  get newsAt(): number {
    return this.#newsAt;
  }

  /** Throws `SlackRefusal` where nothing can be said. */
  async open(): Promise<void> {
    const { thread, statusTs } = this.#options;
    this.#statusTs = statusTs ?? (await post(this.#around, thread, this.#status()));
    this.#schedule();
  }

  /** There is a session: what it writes may be shown. */
  begin(): void {
    this.#hasBegun = true;
  }

  /** Somebody wants it to end: shown soon. */
  wish(wish: 'stop' | 'cancel'): void {
    this.#wish = wish;
    void this.#write();
  }

  /** Settles when nothing is written any more, and what comes stands. */
  async close(): Promise<void> {
    this.abandon();
    await this.#writing;
    await this.#stream.stop();
  }

  /** It cannot be told what it came to. */
  async fail(): Promise<void> {
    this.abandon();
    if (this.#statusTs !== '') await showFailed(this.#around, this.#options.thread, this.#statusTs);
  }

  /** At once, whatever is on its way. */
  abandon(): void {
    this.#isOver = true;
    this.#unset();
  }

  #schedule(): void {
    if (this.#isOver) return;
    const wake = () => void this.#write().finally(() => this.#schedule());
    this.#unset = this.#around.desk.clock.after(leastEditMs, wake);
  }

  #write(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writeNow()).catch((error) => this.#around.log.bug(error));
    return this.#writing;
  }

  async #writeNow(): Promise<void> {
    if (this.#isOver || this.#statusTs === '') return;
    const { settings, desk, runs, api } = this.#around;
    if (this.#isStreaming && desk.clock.monotonicMs() - this.#streamedAt >= runs.size * pieceShareMs)
      await this.#writeMore();
    const everyMs = Math.max(leastEditMs, settings.updateIntervalMs ?? 2_000, runs.size * editShareMs);
    const now = desk.clock.monotonicMs();
    if (this.#isOver || now - this.#editedAt < (this.#wish ? leastEditMs : everyMs)) return;
    this.#editedAt = now;
    await api.attempt('chat.update', toEdit(this.#options.thread, this.#statusTs, this.#status()));
  }

  async #writeMore(): Promise<void> {
    const isNew = this.#stream.ts === undefined;
    this.#streamedAt = this.#around.desk.clock.monotonicMs();
    await this.#stream.show(this.view.draft);
    if (!isNew || this.#stream.ts === undefined) return;
    this.#newsAt = this.#streamedAt;
    await this.#options.onStream();
  }

  get #isStreaming(): boolean {
    return this.#around.settings.streaming !== 'edits' && !this.#stream.isRefused && this.#hasBegun;
  }

  #status() {
    const { agent, asker } = this.#options;
    const { clock } = this.#around.desk;
    const times = { ranMs: clock.monotonicMs() - this.#startedAt, now: clock.now() };
    return toStatus(this.view, { agent, asker, ...times, wish: this.#wish, hasDraft: !this.#isStreaming });
  }
}
