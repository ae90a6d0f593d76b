// Writes the hints of one session, while somebody listens; otherwise it costs nothing.

import type { Hint, ModelSend } from './events.ts';
import { MetadataStream } from './metadata-stream.ts';
import type { ModelWork, Wait } from './middleware.ts';
import type { ModelDelta } from './model.ts';
import type { Operation, Settled, ToolCall } from './operation.ts';
import { type Place, type Subject, traceOf } from './place.ts';
import { ReportStream } from './report-stream.ts';
import type { Run } from './run.ts';

type Draft = Hint extends infer H ? (H extends Hint ? Omit<H, 'kind' | 'trace'> : never) : never;

interface Streaming {
  readonly attempt: number;
  readonly isTextWithheld: boolean;
  /** Whether plugins get metadata out of it. */
  readonly hasMetadata: boolean;
}

export interface Deltas {
  readonly onDelta: (delta: ModelDelta) => void;
  /** The request is over: gives out what was held back, and takes no more. */
  readonly end: () => void;
}

export interface Waits {
  readonly told: (wait: Wait) => void;
  /** The request goes out; said only where a wait was. */
  readonly sent: (whom: Pick<ModelSend, 'provider' | 'model'>) => void;
}

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

  /** What a model call waits for: nothing when nobody listens. */
  waits(turn: number, attempts: ModelWork['attempts']): Waits | undefined {
    if (!this.#run.wantsHints) return undefined;
    let isWaiting = false;
    const here = { turn, index: 0 };
    return {
      told: (wait) => {
        isWaiting = true;
        this.write({ type: 'model-wait', turn, attempt: attempts.length + 1, ...wait }, here);
      },
      sent: ({ provider, model }) => {
        if (isWaiting) this.write({ type: 'model-send', turn, attempt: attempts.length + 1, provider, model }, here);
        isWaiting = false;
      },
    };
  }

  /** For one request to stream into: nothing when nobody listens, so that the model need not stream. */
  deltas(turn: number, { attempt, isTextWithheld, hasMetadata }: Streaming): Deltas | undefined {
    if (!this.#run.wantsHints) return undefined;
    const { secrets } = this.#run;
    const streams: { [type in ModelDelta['type']]?: ReturnType<typeof secrets.stream> } = {};
    let report: ReportStream | undefined;
    const metadata = hasMetadata ? new MetadataStream() : undefined;
    let isOver = false;
    const tell = (type: ModelDelta['type'], text: string) => {
      if (text === '') return;
      const hint = { turn, attempt, text };
      const { id, answers = id } = this.#place;
      if (type === 'text') this.write({ type: 'text-delta', answers, ...hint }, { turn, index: 0 });
      else this.write({ type: 'reasoning-delta', ...hint }, { turn, index: 0 });
    };
    return {
      onDelta: ({ type, text }) => {
        if (isOver || (type === 'text' && isTextWithheld)) return;
        const known = type === 'text' ? type : 'reasoning';
        const stream = streams[known] ?? secrets.stream();
        streams[known] = stream;
        if (known === 'text') report ??= new ReportStream();
        const shown = stream.push(text);
        tell(known, known === 'text' && report ? report.push(metadata ? metadata.push(shown) : shown) : shown);
      },
      end: () => {
        isOver = true;
        tell('reasoning', streams.reasoning?.end() ?? '');
        if (!report) return;
        const last = streams.text?.end() ?? '';
        tell('text', report.push(metadata ? metadata.push(last) + metadata.end() : last) + report.end());
      },
    };
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
