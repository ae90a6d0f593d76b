// The rows before tools, by name. One of these is the whole process's: every session that names a row stands in the same one.

import { availableParallelism } from 'node:os';
import type { Clock, ToolQueue } from '@ai-agent/core';
import { Row } from './row.ts';
import type { QueueSize } from './set-up.ts';

const defaultName = 'default';

export class Queues {
  readonly #clock: Clock;
  readonly #rows = new Map<string, Row>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The row of this name, as large as anybody has said; a name of which these sizes know nothing is the default row. */
  queue(name: string | undefined, sizes: ReadonlyMap<string, QueueSize>): ToolQueue {
    const meant = name !== undefined && sizes.has(name) ? name : defaultName;
    const row = this.#rows.get(meant) ?? this.#open(meant);
    const size = sizes.get(meant);
    if (size) row.resize(size);
    return row;
  }

  #open(name: string): Row {
    const row = new Row(this.#clock, name === defaultName ? defaultConcurrent() : Number.POSITIVE_INFINITY);
    this.#rows.set(name, row);
    return row;
  }
}

function defaultConcurrent(): number {
  return Math.min(64, 2 * availableParallelism());
}
