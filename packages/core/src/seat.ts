// What a call holds while it works: its turn in the queue of its tool, and a place in the process. Given back while it waits for others.

import { cancelled, Scope } from './abort.ts';
import type { Seat } from './counter.ts';
import type { ToolWork } from './middleware.ts';
import type { Gate } from './slots.ts';
import type { LeaveQueue, ToolQueue } from './tool-queue.ts';

export class CallSeat implements Seat {
  readonly #work: ToolWork;
  readonly #queue: ToolQueue | undefined;
  readonly #gate: Gate | undefined;
  #leaveQueue: LeaveQueue | undefined;
  #hasPlace = false;
  #away = 0;
  #isOver = false;
  #returning: { readonly scope: Scope; readonly back: Promise<void> } | undefined;

  constructor(work: ToolWork) {
    this.#work = work;
    this.#queue = work.queue;
    this.#gate = work.ports.slots?.tools;
  }

  async hold<T>(next: () => Promise<T>): Promise<T> {
    const { scope } = this.#work;
    try {
      const entering = this.#enter(scope, false);
      if (entering) await entering;
      scope.throwIfAborted();
      return await next();
    } finally {
      this.#end();
    }
  }

  leave(): () => Promise<void> | undefined {
    this.#away++;
    // Who is on the way back finds out when it is there.
    if (!this.#returning) this.#giveBack();
    return () => {
      this.#away--;
      return this.#away > 0 || this.#isOver || this.#work.scope.isAborted ? undefined : this.#return();
    };
  }

  /** The queue first: who waits for one tool keeps nobody from calling another. */
  #enter(scope: Scope, isBack: boolean): Promise<void> | undefined {
    const { place, onWait } = this.#work;
    if (!this.#queue) return this.#enterGate(scope);
    const entering = this.#queue.enter({
      owner: place.originId,
      ...(isBack ? { isBack } : {}),
      get signal() {
        return scope.signal;
      },
    });
    if (typeof entering === 'function') {
      this.#leaveQueue = entering;
      return this.#enterGate(scope);
    }
    onWait?.('Waits in the queue of this tool.');
    return scope.waits(entered(entering, scope)).then((leave) => {
      this.#leaveQueue = leave;
      return this.#enterGate(scope);
    });
  }

  #enterGate(scope: Scope): Promise<void> | undefined {
    const entering = this.#gate?.enter(this.#work.place.originId, scope);
    if (entering)
      return entering.then(() => {
        this.#hasPlace = true;
      });
    this.#hasPlace = this.#gate !== undefined;
    return undefined;
  }

  #return(): Promise<void> {
    if (this.#returning) return this.#returning.back;
    const scope = new Scope(this.#work.scope);
    this.#returning = { scope, back: this.#takeAgain(scope) };
    return this.#returning.back;
  }

  async #takeAgain(scope: Scope): Promise<void> {
    try {
      // Whoever asks for it has to know first that it is on the way.
      await Promise.resolve();
      scope.throwIfAborted();
      await this.#enter(scope, true);
      scope.throwIfAborted();
    } finally {
      this.#returning = undefined;
      scope.close();
      // Meanwhile somebody else is waited for, or the call is over.
      if (this.#away > 0 || this.#isOver) this.#giveBack();
    }
  }

  #end(): void {
    this.#isOver = true;
    if (this.#returning) this.#returning.scope.abort(cancelled('The call is over.'));
    else this.#giveBack();
  }

  #giveBack(): void {
    if (this.#hasPlace) this.#gate?.leave();
    this.#hasPlace = false;
    const leave = this.#leaveQueue;
    this.#leaveQueue = undefined;
    leave?.();
  }
}

/** Called in at the very moment of its cancellation, or after it: the turn goes to the next. */
async function entered(entering: Promise<LeaveQueue>, scope: Scope): Promise<LeaveQueue> {
  try {
    return await scope.race(entering);
  } catch (error) {
    entering.then(
      (leave) => leave(),
      () => {},
    );
    throw error;
  }
}
