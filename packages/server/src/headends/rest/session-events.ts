// The events of a session as a stream: what was told, then what is told, each fact once, as fast as the reader reads.

import type { SessionHead } from '@ai-agent/core';
import { AgentError, type AgentEvent, type Fact } from '@ai-agent/core';
import type { Hall } from '../../hall.ts';
import type { LiveSession } from '../../live-session.ts';
import { patienceMs } from '../../patience.ts';
import { toSafeJson } from '../../safe-json.ts';
import { HintsBehind } from './hints-behind.ts';
import type { SessionView } from './session-view.ts';

/** Proxies and clients give up on a connection where nothing comes. */
export const heartbeatMs = 15_000;

/** Heartbeats for which a reader may take nothing at all before it is cut off. */
export const patience = 4;

/** What may wait for a reader beside the one fact that is written. */
const roomBytes = 64 * 1024;

/** Facts that are read from the store at once. */
const pageSize = 100;

/** How often a session that another server runs is looked at. */
export const pollMs = 1_000;

export interface Following {
  readonly hall: Hall;
  readonly head: SessionHead;
  /** While it runs. */
  readonly live: LiveSession | undefined;
  /** How many facts the reader has. */
  readonly after: number;
  /** Whether a reader who comes in the middle is told what goes on there. */
  readonly wantsNow: boolean;
  /** What of it the reader is shown. */
  readonly view: SessionView;
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
  readonly #hints = new HintsBehind();
  /** How it stands, where it runs on another server. */
  #head: SessionHead;
  /** Whether it knows what goes on: what hints say from here on is news. */
  #isPresent: boolean;
  #isBusy = false;
  #isDrained = false;
  /** The store has kept a fact waiting for too long. */
  #isImpatient = false;
  #unwait: (() => void) | undefined;
  #isOver = false;
  #roomBefore: number | null = null;
  #missed = 0;

  constructor(following: Following) {
    const { live, after, head } = following;
    this.#following = following;
    this.#head = head;
    this.#at = after;
    this.#isPresent = !following.wantsNow;
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

  /** A hint is for whoever is here now, and comes behind what was told before it. */
  readonly #hear = (event: AgentEvent): void => {
    const { live } = this.#following;
    if (event.kind === 'fact') this.#send();
    else if (!live || !this.#isPresent || !this.#hasRoom) return;
    else if (this.#at === live.count) this.#write(this.#frameOf(event));
    else if (this.#at >= live.kept) this.#hints.add(live.count, this.#frameOf(event));
  };

  get #hasRoom(): boolean {
    return !this.#isOver && (this.#controller?.desiredSize ?? 0) > 0;
  }

  /** All that there is to send and room for. */
  #send(): void {
    if (this.#isBusy) return;
    // What is written asks for more at once: there is more, from here.
    this.#isBusy = true;
    for (let fact = this.#next(); fact && this.#hasRoom && this.#mayTell(); fact = this.#next()) {
      this.#at++;
      this.#write(this.#frameOf(fact, this.#isKept(this.#at) ? this.#at : undefined));
      for (const frame of this.#hints.take(this.#at)) if (this.#hasRoom) this.#write(frame);
    }
    this.#isBusy = false;
    if (!this.#hasRoom) return;
    this.#tellNow();
    if (this.#isBehind) this.#readPage();
    else if (this.#isElsewhere) this.#lookAgain();
    else if (!this.#isRunning) this.#end();
  }

  /** Once, when it has all facts. */
  #tellNow(): void {
    const { live } = this.#following;
    if (this.#isPresent || !live || this.#at < live.count) return;
    this.#isPresent = true;
    for (const sign of live.signs) this.#write(this.#frameOf(sign));
  }

  #next(): Fact | undefined {
    return this.#following.live?.fact(this.#at + 1) ?? this.#page[this.#at - this.#pageAt];
  }

  /** Whether the store has it for good. */
  #isKept(number: number): boolean {
    const { hall, live } = this.#following;
    // Also what was told before it went on may be on its way yet.
    return number <= Math.min(live?.kept ?? Number.POSITIVE_INFINITY, hall.keptOf(this.#head.id));
  }

  /** What the store does not have yet waits for it; not for one that fails, nor for ever. */
  #mayTell(): boolean {
    const { hall, live } = this.#following;
    const isKept = this.#isKept(this.#at + 1);
    if (isKept) {
      this.#isImpatient = false;
      this.#unwait?.();
      this.#unwait = undefined;
    }
    if (isKept || !live || live.isOver || live.isFailing || this.#isImpatient) return true;
    this.#unwait ??= hall.clock.after(patienceMs, () => {
      this.#isImpatient = true;
      this.#unwait = undefined;
      this.#send();
    });
    return false;
  }

  /** Whether the store has facts that were not sent. */
  get #isBehind(): boolean {
    const { live } = this.#following;
    return this.#isElsewhere ? !this.#isDrained : this.#at < (live?.before ?? this.#head.facts);
  }

  /** Another server runs it: nobody knows how many there will be. */
  get #isElsewhere(): boolean {
    return !this.#following.live && this.#head.endedAt === undefined;
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
          if (this.#isDrained && !this.#isElsewhere) this.#cut(forgotten());
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

  /** In a while: what another server tells is in the store. */
  #lookAgain(): void {
    const { hall, head } = this.#following;
    this.#unwait ??= hall.clock.after(pollMs, async () => {
      this.#unwait = undefined;
      try {
        const now = await hall.store.get(head.id);
        if (!now) return this.#cut(forgotten());
        this.#head = now;
      } catch (error) {
        hall.onBug(error);
      }
      this.#isDrained = false;
      this.#send();
    });
  }

  #end(): void {
    const { hall, live, view } = this.#following;
    const data = toSafeJson(view.head(live?.head ?? this.#head, hall));
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

  /** Empty for what is not for this reader: its number is left out. */
  #frameOf(event: AgentEvent, number?: number): string {
    const shown = this.#following.view.event(event);
    const numbered = number === undefined ? '' : `id: ${number}\n`;
    return shown ? `${numbered}event: ${event.type}\ndata: ${toSafeJson(shown)}\n\n` : '';
  }

  #write(frame: string): void {
    if (frame !== '') this.#controller?.enqueue(this.#encoder.encode(frame));
  }

  #leave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#page = [];
    this.#unset();
    this.#unwait?.();
    this.#unfollow();
    this.#following.onGone();
  }
}

function forgotten(): AgentError {
  return new AgentError('session-unknown', 'The rest of this session is not kept any more.');
}

function tooSlow(): AgentError {
  return new AgentError('request-slow', 'The reader took nothing for too long.', {
    remedy: 'Come back with Last-Event-ID: what was told is told again from there.',
  });
}
