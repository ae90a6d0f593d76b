// Cancellation down a tree of scopes, without a listener per scope on anybody's signal.

import { AgentError, messageOf } from './errors.ts';

/**
 * One node of the tree. Children are known by reference, so an abort walks down by itself and a closed scope
 * leaves nothing behind. Only a foreign signal gets a listener, one for the whole tree, removed on close.
 */
export class Scope {
  #controller: AbortController | undefined;
  #reason: AgentError | undefined;
  #abortedAt: number | undefined;
  readonly #now: () => number;
  readonly #children = new Set<Scope>();
  readonly #waiting = new Set<(reason: AgentError) => void>();
  readonly #links = new Set<() => void>();
  readonly #parent: Scope | undefined;

  /** Below a parent, or at the root with a clock that tells when it was aborted. */
  constructor(parent: Scope | (() => number)) {
    if (parent instanceof Scope) {
      this.#parent = parent;
      this.#now = parent.#now;
      this.#reason = parent.#reason;
      this.#abortedAt = parent.#abortedAt;
      if (!this.#reason) parent.#children.add(this);
    } else this.#now = parent;
  }

  /** For whoever does the work. Made on demand: most scopes never need one. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#reason) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  get isAborted(): boolean {
    return this.#reason !== undefined;
  }

  get abortedAt(): number | undefined {
    return this.#abortedAt;
  }

  /** Everything that still hangs on this scope; zero when all work is over. */
  get held(): number {
    return this.#children.size + this.#waiting.size + this.#links.size;
  }

  /** Follows a signal that is not ours, until closed. */
  follow(signal: AbortSignal): void {
    const onAbort = () => this.abort(cancelled(`The caller cancelled the run${whyOf(signal.reason)}.`, signal.reason));
    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener('abort', onAbort, { once: true });
    this.#links.add(() => signal.removeEventListener('abort', onAbort));
  }

  abort(reason: AgentError): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#abortedAt = this.#parent?.abortedAt ?? this.#now();
    // Downwards first: whoever reacts to this abort finds everything below already told.
    for (const child of [...this.#children]) child.abort(reason);
    this.#controller?.abort(reason);
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const reject of waiting) reject(reason);
  }

  /** Settles as the work does, or rejects at once on abort; work that ignores its signal is left behind. */
  race<T>(work: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const settle =
        <V>(pass: (value: V) => void) =>
        (value: V) => {
          this.#waiting.delete(reject);
          pass(value);
        };
      work.then(settle(resolve), settle(reject));
      if (this.#reason) reject(this.#reason);
      else this.#waiting.add(reject);
    });
  }

  throwIfAborted(): void {
    if (this.#reason) throw this.#reason;
  }

  close(): void {
    if (this.#parent) this.#parent.#children.delete(this);
    for (const unlink of this.#links) unlink();
    this.#links.clear();
  }
}

/** The caller's own words, when the reason is more than what every abort says. */
function whyOf(reason: unknown): string {
  const isPlain = reason === undefined || (reason instanceof Error && reason.name === 'AbortError');
  return isPlain ? '' : `: ${messageOf(reason).replace(/[.\s]+$/, '')}`;
}

export function cancelled(message: string, cause?: unknown): AgentError {
  return new AgentError('cancelled', message, { cause });
}
