// The events of a session as a stream: what was told, then what is told, each fact once, as fast as the reader reads.

import type { SessionHead } from '@ai-agent/core';
import { AgentError, type AgentEvent, type Fact } from '@ai-agent/core';
import type { Hall } from '../../hall.ts';
import type { LiveSession } from '../../live-session.ts';
import { toSafeJson } from '../../safe-json.ts';
import { toHeadDocument } from '../../session-document.ts';

/** Proxies and clients give up on a connection where nothing comes. */
export const heartbeatMs = 15_000;

/** Heartbeats for which a reader may take nothing at all before it is cut off. */
const patience = 4;

/** What may wait for a reader beside the one fact that is written. */
const roomBytes = 64 * 1024;

/** Facts that are read from the store at once. */
const pageSize = 100;

export interface Following {
  readonly hall: Hall;
  readonly head: SessionHead;
  /** While it runs. */
  readonly live: LiveSession | undefined;
  /** How many facts the reader has. */
  readonly after: number;
  /** Called once, when nothing is told any more. */
  readonly onGone: () => void;
}

/**
 * A reader has a place among the facts instead of a buffer of its own: whoever is slow is told the same facts later, and no
 * hints meanwhile.
 */
export class SessionEvents {
  readonly body: ReadableStream<Uint8Array>;
  readonly #following: Following;
  readonly #encoder = new TextEncoder();
  readonly #unfollow: () => void;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #unset: () => void = () => {};
  /** The number of the fact that was sent last. */
  #at: number;
  #page: readonly Fact[] = [];
  /** The number of the fact before the page. */
  #pageAt = 0;
  #isBusy = false;
  #isDrained = false;
  #isOver = false;
  #roomBefore: number | null = null;
  #missed = 0;

  constructor(following: Following) {
    const { live, after } = following;
    this.#following = following;
    this.#at = after;
    this.#unfollow = live?.follow(this.#hear, { onKept: () => this.#send(), onOver: () => this.#send() }) ?? (() => {});
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#send(),
        cancel: () => this.#leave(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: roomBytes }),
    );
    this.#beat();
  }

  /** A hint is for whoever is here now. */
  readonly #hear = (event: AgentEvent): void => {
    if (event.kind === 'fact') this.#send();
    else if (this.#hasRoom && this.#at === this.#following.live?.count) this.#write(toFrame(event));
  };

  get #hasRoom(): boolean {
    return !this.#isOver && (this.#controller?.desiredSize ?? 0) > 0;
  }

  /** All that there is to send and room for. */
  #send(): void {
    if (this.#isBusy) return;
    // What is written asks for more at once: there is more, from here.
    this.#isBusy = true;
    for (let fact = this.#next(); fact && this.#hasRoom; fact = this.#next()) {
      this.#at++;
      this.#write(toFrame(fact, this.#at));
    }
    this.#isBusy = false;
    if (!this.#hasRoom) return;
    if (this.#isBehind) this.#readPage();
    else if (!this.#isRunning) this.#end();
  }

  #next(): Fact | undefined {
    return this.#following.live?.fact(this.#at + 1) ?? this.#page[this.#at - this.#pageAt];
  }

  /** Whether the store has facts that were not sent. */
  get #isBehind(): boolean {
    const { live, head } = this.#following;
    return this.#isUncounted ? !this.#isDrained : this.#at < (live?.before ?? head.facts);
  }

  /** Where a server went away, nobody knows how many there are. */
  get #isUncounted(): boolean {
    const { live, head } = this.#following;
    return !live && head.endedAt === undefined;
  }

  get #isRunning(): boolean {
    const { live } = this.#following;
    return live !== undefined && !live.isOver;
  }

  #readPage(): void {
    this.#isBusy = true;
    const { hall } = this.#following;
    this.#read()
      .then(
        (facts) => {
          this.#page = facts;
          this.#pageAt = this.#at;
          this.#isDrained = facts.length === 0;
          if (this.#isDrained && !this.#isUncounted) this.#cut(forgotten());
        },
        (error) => {
          hall.onBug(error);
          this.#cut(forgotten());
        },
      )
      .then(() => {
        this.#isBusy = false;
        this.#send();
      });
  }

  async #read(): Promise<readonly Fact[]> {
    const { hall, head } = this.#following;
    return hall.store.facts(head.id, this.#at, pageSize);
  }

  #end(): void {
    const { live, head } = this.#following;
    const data = toSafeJson(toHeadDocument(live?.head ?? head));
    this.#leave();
    this.#write(`event: end\ndata: ${data}\n\n`);
    this.#controller?.close();
  }

  /** Says that somebody is there, and looks whether somebody is there. */
  #beat(): void {
    this.#unset = this.#following.hall.clock.after(heartbeatMs, () => {
      const room = this.#controller?.desiredSize ?? null;
      this.#missed = !this.#hasRoom && room === this.#roomBefore ? this.#missed + 1 : 0;
      this.#roomBefore = room;
      if (this.#hasRoom) this.#write(': still here\n\n');
      if (this.#missed >= patience) this.#cut(tooSlow());
      else this.#beat();
    });
  }

  /** The reader learns that this was not the end: it can come back behind what it has. */
  #cut(error: AgentError): void {
    if (this.#isOver) return;
    this.#controller?.error(error);
    this.#leave();
  }

  #write(frame: string): void {
    this.#controller?.enqueue(this.#encoder.encode(frame));
  }

  #leave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#page = [];
    this.#unset();
    this.#unfollow();
    this.#following.onGone();
  }
}

function toFrame(event: AgentEvent, number?: number): string {
  const numbered = number === undefined ? '' : `id: ${number}\n`;
  return `${numbered}event: ${event.type}\ndata: ${toSafeJson(event)}\n\n`;
}

function forgotten(): AgentError {
  return new AgentError('session-unknown', 'The rest of this session is not kept any more.');
}

function tooSlow(): AgentError {
  return new AgentError('request-slow', 'The reader took nothing for too long.', {
    remedy: 'Come back with Last-Event-ID: what was told is told again from there.',
  });
}
