// Everything that is at work in the process at one moment.

import { createSlots, type Slots } from '@ai-agent/core';
import type { WorldSpec } from './spec.ts';

export class Crowd {
  readonly slots: Slots;
  readonly #bounds: WorldSpec['slots'];
  readonly #working = { model: new Set<AbortSignal>(), tool: new Set<AbortSignal>() };

  constructor(bounds: WorldSpec['slots']) {
    this.#bounds = bounds;
    this.slots = createSlots(bounds);
  }

  /** Work that goes on though its signal was aborted is left behind, and holds no place. */
  enter(type: 'model' | 'tool', signal: AbortSignal, tell: (problem: string) => void): () => void {
    const working = this.#working[type];
    for (const other of working) if (other.aborted) working.delete(other);
    if (!signal.aborted) working.add(signal);
    const bound = (type === 'model' ? this.#bounds.models : this.#bounds.tools) ?? Number.POSITIVE_INFINITY;
    if (working.size > bound) tell(`${working.size} ${type} calls at once, though there are ${bound} places`);
    return () => working.delete(signal);
  }

  /** Who holds a place or waits for one. */
  get left(): number {
    const { models, tools } = this.slots;
    return [models, tools].reduce((sum, gate) => sum + (gate ? gate.holders + gate.waiting : 0), 0);
  }
}
