// How long a page kept everything else waiting at most, in the time of its own thread: what others did with the machine meanwhile is not in it.

import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** On the clock of its thread, in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** In milliseconds. */
export async function longestTask(browser: Browser, page: Page, act: () => Promise<void>): Promise<number> {
  await browser.startTracing(page, { categories: ['toplevel'] });
  await act();
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as { traceEvents: readonly TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const names = traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
  const mains = new Set(names.map(threadOf));
  const tasks = traceEvents.filter((event) => /RunTask$/.test(event.name) && mains.has(threadOf(event)));
  const times = tasks.flatMap(({ tdur }) => (tdur === undefined ? [] : [tdur / 1_000]));
  // A browser that tells nothing would fit every limit.
  expect(times.length).toBeGreaterThan(100);
  return Math.max(...times);
}
