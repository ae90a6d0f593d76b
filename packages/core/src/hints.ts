// Writes the hints of one session, while somebody listens; otherwise it costs nothing.

import type { Hint } from './events.ts';
import type { ModelDelta } from './model.ts';
import type { Operation, Settled, ToolCall } from './operation.ts';
import { type Place, type Subject, traceOf } from './place.ts';
import type { Run } from './run.ts';

type Draft = Hint extends infer H ? (H extends Hint ? Omit<H, 'kind' | 'trace'> : never) : never;

export class HintWriter {
  readonly #run: Run;
  readonly #place: Place;

  constructor(run: Run, place: Place) {
    this.#run = run;
    this.#place = place;
  }

  write(hint: Draft, subject: Subject = {}): void {
    if (this.#run.wantsHints) this.#run.emit({ ...hint, kind: 'hint', trace: traceOf(this.#place, subject) } as Hint);
  }

  began(operation: Operation, at: number): void {
    if (this.#run.wantsHints) this.write({ type: 'operation-start', op: operation.name, at }, subjectOf(operation));
  }

  ended(operation: Operation, settled: Settled<unknown> | undefined): void {
    if (!this.#run.wantsHints) return;
    const at = settled?.endedAt ?? this.#run.ports.clock.now();
    // A call that failed settles to a value that says so.
    const isOk = settled?.ok === true && (settled.value as { failure?: unknown } | null)?.failure === undefined;
    this.write({ type: 'operation-end', op: operation.name, at, isOk }, subjectOf(operation));
  }

  /** For a model to stream into: nothing when nobody listens, so that it need not stream. */
  deltas(turn: number, options: { readonly attempt: () => number; readonly isTextWithheld: boolean }) {
    if (!this.#run.wantsHints) return {};
    const onDelta = ({ type, text }: ModelDelta) => {
      if (type === 'text' && options.isTextWithheld) return;
      const attempt = options.attempt();
      this.write({ type: type === 'text' ? 'text-delta' : 'reasoning-delta', turn, attempt, text }, { turn, index: 0 });
    };
    return { onDelta };
  }
}

export function toSubject({ turn, index, tool, callId }: ToolCall): Subject {
  return { turn, index, toolName: tool, callId };
}

function subjectOf(operation: Operation): Subject {
  if (operation.type === 'timer' || operation.type === 'message') return {};
  if (operation.type === 'session' || operation.task === 'tool') return toSubject(operation.input);
  return operation.task === 'model' ? { turn: operation.input.turn, index: 0 } : {};
}
