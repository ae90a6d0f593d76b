// One reply of an agent while it comes: what is written, what goes on meanwhile by its titles, and how it ended.

import type { Question } from '@ai-agent/core';
import type { Failure, Standing } from '../server/documents.ts';
import type { Heard } from './heard.ts';

export interface Step {
  readonly call: string;
  readonly title: string;
  readonly state: 'working' | 'done' | 'failed';
}

export interface ReplyPicture {
  readonly text: string;
  /** How it ended; nothing while it comes. */
  readonly status?: string;
  readonly steps: readonly Step[];
  readonly failure?: Failure;
  readonly question?: Question;
}

export class Reply {
  #picture: ReplyPicture = { text: '', steps: [] };
  #writing: string | undefined;

  get picture(): ReplyPicture {
    return this.#picture;
  }

  /** Whether it has changed. */
  hear(heard: Heard): boolean {
    const { type, text, report } = heard;
    if (type === 'text-delta') return this.#write(heard);
    if (type === 'tool-start' || type === 'tool-end') return this.#step(heard);
    if (type === 'session-start') return this.#begin();
    if (type !== 'session-end') return false;
    const whole = report === undefined || text ? text : JSON.stringify(report, null, 2);
    this.#change({ text: whole ?? this.#picture.text, ...(heard.failure ? { failure: heard.failure } : {}) });
    return true;
  }

  end({ status, failure, question, draft }: Pick<Standing, 'status' | 'failure' | 'question' | 'draft'>): void {
    const steps = this.#picture.steps.map((step) => (step.state === 'working' ? { ...step, state: 'done' } : step));
    const isFailed = status === 'failed' || status === 'interrupted';
    const { failure: told, ...picture } = this.#picture;
    const known = failure ?? told;
    this.#picture = picture;
    this.#change({
      status,
      steps: steps as readonly Step[],
      ...(draft === undefined ? {} : { text: draft }),
      ...(isFailed && known ? { failure: known } : {}),
      ...(question ? { question } : {}),
    });
  }

  /** Whoever comes back behind a round that was left hears its end first. */
  #begin(): boolean {
    const { text, steps, failure } = this.#picture;
    if (text === '' && steps.length === 0 && !failure) return false;
    this.#picture = { text: '', steps: [] };
    this.#writing = undefined;
    return true;
  }

  #write({ writing, text = '', isSoFar }: Heard): boolean {
    const isNext = writing === this.#writing && !isSoFar;
    this.#writing = writing;
    this.#change({ text: isNext ? this.#picture.text + text : text });
    return true;
  }

  /** Calls without a title are nobody's concern. */
  #step({ type, call = '', title, status }: Heard): boolean {
    const { steps } = this.#picture;
    const before = steps.find((step) => step.call === call);
    if (type === 'tool-end' && before) {
      const state = status === 'ok' ? 'done' : 'failed';
      this.#change({ steps: steps.map((step) => (step === before ? { ...step, state } : step)) });
      return true;
    }
    if (type === 'tool-end' || before || title === undefined) return false;
    this.#change({ steps: [...steps, { call, title, state: 'working' }] });
    return true;
  }

  #change(change: Partial<ReplyPicture>): void {
    this.#picture = { ...this.#picture, ...change };
  }
}
