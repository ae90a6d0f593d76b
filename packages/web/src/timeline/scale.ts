// The scale of one round: from its start to its end, or to a little behind now while it runs.

import { durationOf } from '../app/time.ts';

export interface Scale {
  readonly startedAt: number;
  readonly lengthMs: number;
  readonly tickMs: number;
}

/** Steps that people count in. */
const steps = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000,
  900_000, 1_800_000, 3_600_000, 7_200_000, 21_600_000, 43_200_000, 86_400_000,
];

/** How many ticks there are at most: more of them run into each other. */
const mostTicks = 4;

export function toScale(startedAt: number, endedAt: number, isLive: boolean): Scale {
  const wholeMs = Math.max(1, endedAt - startedAt);
  const tickMs = steps.find((step) => wholeMs / step <= mostTicks) ?? 86_400_000;
  // What runs grows into free space, and not every moment moves everything.
  const lengthMs = isLive ? (Math.floor(wholeMs / tickMs) + 1) * tickMs : wholeMs;
  return { startedAt, lengthMs, tickMs };
}

export interface Tick {
  readonly share: number;
  readonly label: string;
}

export function ticksOf({ lengthMs, tickMs }: Scale): readonly Tick[] {
  const count = Math.floor(lengthMs / tickMs);
  return Array.from({ length: count + 1 }, (_, index) => ({
    share: (index * tickMs) / lengthMs,
    label: index === 0 ? '0' : labelOf(index * tickMs),
  }));
}

/** Of all of them those whose labels have room beside each other: every second, every third, as few as that takes. */
export function ticksWithRoom(scale: Scale, pixels: number): readonly Tick[] {
  const ticks = ticksOf(scale);
  const every = ticks.findIndex((_, index) => index > 0 && haveRoom(everyOf(ticks, index), pixels));
  const shown = every < 0 ? ticks.slice(0, 1) : everyOf(ticks, every);
  return shown.map((tick) => (tick.share * pixels + widthOf(tick) > pixels ? { ...tick, label: '' } : tick));
}

function everyOf(ticks: readonly Tick[], step: number): readonly Tick[] {
  return ticks.filter((_, index) => index % step === 0);
}

function haveRoom(ticks: readonly Tick[], pixels: number): boolean {
  return ticks.every((tick, index) => {
    const next = ticks[index + 1];
    return !next || (next.share - tick.share) * pixels >= widthOf(tick);
  });
}

/** In pixels, with some air: no letter of a label is wider. */
function widthOf({ label }: Tick): number {
  return 10 + 7 * label.length;
}

/** A moment as a share of the scale, from 0 to 1. */
export function shareOf({ startedAt, lengthMs }: Scale, at: number): number {
  return Math.min(1, Math.max(0, (at - startedAt) / lengthMs));
}

/** `1.5 s`, `2 m`: without what is nought. */
function labelOf(ms: number): string {
  if (ms < 1_000) return durationOf(ms);
  if (ms < 60_000) return `${ms / 1_000} s`;
  return durationOf(ms).replace(/ 0 [sm]$/, '');
}
