// One run: the tree of sessions that a prompt planted, what they share, and where each of them stands.

import type { AgentEvent, Trace } from './events.ts';
import { Inbox } from './inbox.ts';
import { childSessionId, type ToolCall } from './operation.ts';
import type { Ports } from './ports.ts';
import { Records } from './records.ts';
import type { RuntimeFactory } from './runtime.ts';

export interface RunOptions {
  readonly originId: string;
  readonly ports: Ports;
  readonly runtime: RuntimeFactory;
}

export type Listener = (event: AgentEvent) => void;

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
      try {
        listener(event);
      } catch {
        // Watching must not hurt what is watched: a listener that throws has only lost this event.
      }
    }
  }
}

/** Where one session stands in its tree. Plain data. */
export interface Place {
  readonly originId: string;
  readonly parentId: string | null;
  readonly id: string;
  /** Levels below the root. */
  readonly depth: number;
  /** Names of the agents from the root to this one. */
  readonly ancestry: readonly string[];
  readonly instanceName: string;
  readonly turnPath: string;
  readonly toolName: string | null;
  readonly correlationId: string;
  readonly callerOp: string | null;
  readonly title: string | null;
}

export function placeAtRoot(agentName: string, id: string): Place {
  const nowhere = { parentId: null, turnPath: '', toolName: null, callerOp: null, title: null };
  return { originId: id, id, depth: 0, ancestry: [agentName], instanceName: agentName, correlationId: id, ...nowhere };
}

export function placeBelow(agentName: string, caller: Place, call: ToolCall): Place {
  return {
    originId: caller.originId,
    parentId: caller.id,
    id: childSessionId(caller.id, call),
    depth: caller.depth + 1,
    ancestry: [...caller.ancestry, agentName],
    instanceName: call.instance,
    turnPath: traceOf(caller, call).turnPath,
    toolName: call.tool,
    correlationId: call.callId,
    callerOp: `turn.${call.turn}.tool.${call.index}`,
    title: call.title,
  };
}

/** What an event is about, beyond the session itself. */
export interface Subject {
  readonly turn?: number;
  readonly index?: number;
  readonly toolName?: string;
  readonly callId?: string;
}

export function traceOf(place: Place, subject: Subject = {}): Trace {
  const step =
    subject.turn === undefined ? '' : `${subject.turn}${subject.index === undefined ? '' : `.${subject.index}`}`;
  return {
    originId: place.originId,
    parentId: place.parentId,
    selfId: place.id,
    callPath: place.ancestry.join(':'),
    turnPath: place.turnPath && step ? `${place.turnPath}-${step}` : place.turnPath || step,
    agentName: place.ancestry.at(-1) ?? '',
    instanceName: place.instanceName,
    toolName: subject.toolName ?? place.toolName,
    correlationId: subject.callId ?? place.correlationId,
  };
}
