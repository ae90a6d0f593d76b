// The answer as it is written, by Slack's streaming calls: a message that grows. Where Slack refuses them, nothing is shown here.

import { toStreamText, wholeCharacters } from '../blocks/safe-text.ts';
import { isUnreachable, type SlackApi, SlackRefusal } from '../connect/slack-api.ts';
import { wholeWords } from './run-view.ts';
import type { Thread } from './threads.ts';

export interface StreamOptions {
  readonly api: SlackApi;
  readonly thread: Thread;
  /** For whom it is written: Slack wants to know it in channels. */
  readonly reader: string;
}

/** A message of Slack's streaming takes so much in all; the whole answer takes its place at the end. */
const mostInAll = 11_000;
/** And so much at once. */
const mostAtOnce = 4_000;

export class AnswerStream {
  readonly #options: StreamOptions;
  #ts: string | undefined;
  /** What the reader has of the draft. */
  #shown = '';
  #length = 0;
  #isRefused = false;
  #mayBeThere = false;

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  /** The message, once there is one. */
  get ts(): string | undefined {
    return this.#ts;
  }

  /** Whether Slack has no such thing here. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Whether Slack may have begun one that we do not know of. */
  get mayBeThere(): boolean {
    return this.#mayBeThere;
  }

  /** Shows more of the draft; what finds no turn now comes with the next. */
  async show(all: string): Promise<void> {
    const { api } = this.#options;
    // Struck out before it is cut into pieces: no two of them show what neither shows alone.
    const draft = api.strike(withoutHalf(all.slice(0, api.safeLength(all))));
    if (this.#isRefused || this.#length >= mostInAll || draft.trim() === '') return;
    // Also where a further try writes the same once more.
    if (this.#shown.startsWith(draft)) return;
    const isFurther = draft.startsWith(this.#shown);
    // What was said before a call, or in a try that broke off, stays above: a stream takes nothing back.
    const more = isFurther ? draft.slice(this.#shown.length) : `\n\n${draft}`;
    const piece = cutPiece(more, Math.min(mostAtOnce, mostInAll - this.#length));
    if (piece.trim() === '' || !(await this.#tell(piece))) return;
    this.#shown = isFurther ? this.#shown + piece : piece.slice(2);
    this.#length += piece.length;
  }

  /** No more comes: from now on it is a message as others are. */
  async stop(): Promise<void> {
    if (this.#ts === undefined) return;
    const { api, thread } = this.#options;
    // The answer does not wait for it: what cannot be edited then is posted anew, and Slack ends a silent stream by itself.
    const stop = () => api.attempt('chat.stopStream', { channel: thread.channel, ts: this.#ts });
    if (!(await stop())) await stop();
  }

  /** Whether it is there now. */
  async #tell(piece: string): Promise<boolean> {
    try {
      return await (this.#ts === undefined ? this.#start(piece) : this.#append(piece));
    } catch (error) {
      if (!(error instanceof SlackRefusal)) throw error;
      this.#mayBeThere = this.#ts === undefined && isUnreachable(error);
      this.#isRefused = true;
      return false;
    }
  }

  async #start(piece: string): Promise<boolean> {
    const { api, thread, reader } = this.#options;
    const { channel, ts: thread_ts, team } = thread;
    const ofTeam = team === '' ? {} : { recipient_team_id: team };
    const recipient = reader === '' ? {} : { recipient_user_id: reader, ...ofTeam };
    const markdown_text = toStreamText(piece);
    const begun = await api.offer('chat.startStream', { channel, thread_ts, markdown_text, ...recipient });
    if (begun) this.#ts = String(begun.ts);
    return begun !== undefined;
  }

  async #append(piece: string): Promise<boolean> {
    const { api, thread } = this.#options;
    const args = { channel: thread.channel, ts: this.#ts, markdown_text: toStreamText(piece) };
    return (await api.offer('chat.appendStream', args)) !== undefined;
  }
}

/** The other half of its last character may come with the next words. */
function withoutHalf(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, '');
}

/** At most so long, without half of a letter or of a word at its end. */
function cutPiece(text: string, most: number): string {
  return text.length <= most ? text : wholeWords(text.slice(0, wholeCharacters(text, most)));
}
