// What signals mean in a talk: Ctrl-C is for the answer that comes, or for the prompt; the others end it all.

import { endFor, type Heard, type Interruptible } from '../../interrupts.ts';
import type { Terminal } from '../../terminal.ts';

export interface AtRest {
  /** Ctrl-C while nothing is answered. Whether it was for anybody there. */
  interrupt(): boolean;
  /** The talk is over. */
  leave(): void;
}

export class TalkSignals {
  readonly #atRest: AtRest;
  readonly #unlisten: () => void;
  #round: Interruptible | undefined;
  #interrupts = 0;
  /** Whether it came while a message was on its way, and nothing could be stopped yet. */
  #isMissed = false;
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(terminal: Pick<Terminal, 'onSignal'>, atRest: AtRest) {
    this.#atRest = atRest;
    this.#unlisten = terminal.onSignal((heard) => this.#hear(heard));
  }

  /** Whether the talk was ended from outside. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** A message is on its way: what comes from now on is for its answer. */
  expectRound(): void {
    this.#isMissed = false;
  }

  /** Of a terminal, for one round after the other. */
  readonly onInterrupt: Terminal['onInterrupt'] = (round) => {
    this.#round = round;
    this.#interrupts = 0;
    // It came while the round was opened.
    if (this.#isOver) this.#end('gone');
    else if (this.#isMissed) this.#interrupt();
    this.#isMissed = false;
    return () => {
      if (this.#round === round) this.#round = undefined;
    };
  };

  /** Nobody waits for the rest of it any more. */
  close(): void {
    clearTimeout(this.#timer);
    this.#unlisten();
  }

  #hear(heard: Heard): void {
    if (heard === 'SIGINT') this.#interrupt();
    else this.#end(heard);
  }

  #interrupt(): void {
    const round = this.#round;
    if (round) this.#interrupts++;
    if (!round) this.#isMissed = !this.#atRest.interrupt();
    else if (this.#interrupts === 1) round.stop();
    else if (this.#interrupts === 2) round.cancel('Interrupted by SIGINT.');
    else this.#exit();
  }

  /** What runs has a moment to end. */
  #end(heard: Exclude<Heard, 'SIGINT'>): void {
    this.#isOver = true;
    const patienceMs = endFor(heard, this.#round);
    this.#timer ??= setTimeout(() => this.#exit(), patienceMs);
    this.#atRest.leave();
  }

  #exit(): void {
    const leave = () => process.exit(130);
    const last = this.#round?.abandon();
    if (last) last.then(leave, leave);
    else leave();
  }
}
