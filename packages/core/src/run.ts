// One run: the tree of sessions that a prompt planted, and what they share.

import { AgentError } from './errors.ts';
import type { AgentEvent } from './events.ts';
import { Inbox } from './inbox.ts';
import type { Ports } from './ports.ts';
import { Records } from './records.ts';
import type { RuntimeFactory } from './runtime.ts';

export interface RunOptions {
  readonly originId: string;
  readonly ports: Ports;
  readonly runtime: RuntimeFactory;
}

export type Listener = (event: AgentEvent) => unknown;

export class Run {
  readonly originId: string;
  readonly ports: Ports;
  readonly runtime: RuntimeFactory;
  readonly inbox = new Inbox();
  readonly records = new Records();
  readonly #listeners = new Map<Listener, { hints: boolean }>();
  #hintListeners = 0;

  constructor(options: RunOptions) {
    this.originId = options.originId;
    this.ports = options.ports;
    this.runtime = options.runtime;
  }

  /** Whether anybody would hear a hint; models stream only then. */
  get wantsHints(): boolean {
    return this.#hintListeners > 0;
  }

  /** Hears all facts of the tree, and its hints if asked. Returns how to stop listening. */
  listen(listener: Listener, options: { readonly hints: boolean }): () => void {
    this.#listeners.set(listener, options);
    if (options.hints) this.#hintListeners++;
    return () => {
      if (this.#listeners.delete(listener) && options.hints) this.#hintListeners--;
    };
  }

  emit(event: AgentEvent): void {
    if (event.kind === 'fact') this.records.add(event);
    for (const [listener, { hints }] of this.#listeners) {
      if (event.kind === 'hint' && !hints) continue;
      // Watching must not hurt what is watched: a listener that throws, at once or later, has only lost this event.
      try {
        const result = listener(event);
        if (result instanceof Promise) result.catch(() => {});
      } catch {}
    }
  }
}

interface Planting {
  readonly ports?: Ports;
  readonly runtime: RuntimeFactory;
  readonly sessionId?: string;
}

/** A new tree for a session at its root. */
export function plantRun({ ports, runtime, sessionId }: Planting): Run {
  if (!ports) throw new AgentError('port-missing', 'A session at the root needs ports: a clock and ids.');
  const originId = sessionId ?? ports.ids.next();
  if (!/^[\w-]{1,128}$/.test(originId)) {
    throw new AgentError(
      'session-input-invalid',
      `The session id ${JSON.stringify(originId)} must be 1 to 128 letters, digits, dashes or underscores.`,
    );
  }
  return new Run({ originId, ports, runtime });
}
