// What a measurement is: done in a process of its own, on one contender, it gives figures.

import { type Contender, type SetUp, toScenario } from '../scenario.ts';
import type { Sizes } from '../sizes.ts';

/** Figures by their name. Higher is worse, but for counts of what went right. */
export type Figures = Readonly<Record<string, number>>;

export type ContenderName = 'floor' | 'ours';

export interface Setting {
  readonly contender: ContenderName;
  readonly setUp: SetUp;
  /** Where the stand-in is. */
  readonly origin: string;
  readonly sizes: Sizes;
}

export type Measure = (setting: Setting) => Promise<Figures>;

/** Sessions at once, where it is not the subject. */
export const atATime = 32;

export function open({ setUp, origin }: Setting, fanOut: number, isStreamed = false): Promise<Contender> {
  return setUp(toScenario(`${origin}/v1`, fanOut, isStreamed));
}

/** Two collections; what became free through the first is taken by the second. */
export async function collect(): Promise<void> {
  for (let i = 0; i < 2; i++) {
    if (!globalThis.gc) throw new TypeError('Run with --expose-gc.');
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
