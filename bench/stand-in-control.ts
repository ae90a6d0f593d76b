// The stand-in from outside: starting and ending its process, and what it is told and asked while it serves.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Counts, Settings } from './stand-in.ts';

/** Gives an address to `use`, and ends the server when that is over, however it ended. */
export async function withStandIn<T>(use: (origin: string) => Promise<T>): Promise<T> {
  const server = fork(join(import.meta.dirname, 'stand-in.ts'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  try {
    const [port] = await Promise.race([once(server, 'message'), once(server, 'exit').then(failToStart)]);
    return await use(`http://127.0.0.1:${port}`);
  } finally {
    server.kill();
  }
}

function failToStart(): never {
  throw new TypeError('The stand-in server did not start.');
}

/** Sets what is given, and begins a new count. */
export async function control(origin: string, settings: Settings = {}): Promise<void> {
  const response = await fetch(`${origin}/control`, { method: 'POST', body: JSON.stringify(settings) });
  await response.arrayBuffer();
}

export async function readCounts(origin: string): Promise<Counts> {
  const response = await fetch(`${origin}/control`);
  return (await response.json()) as Counts;
}

/** Waits until so many children are held, and gives how many are: fewer when none has come for the time of patience. */
export async function waitForHeld(origin: string, wanted: number, patienceMs = 15_000): Promise<number> {
  let seen = 0;
  let patientUntil = performance.now() + patienceMs;
  while (performance.now() < patientUntil) {
    const { held } = await readCounts(origin);
    if (held >= wanted) return held;
    if (held > seen) patientUntil = performance.now() + patienceMs;
    seen = held;
    await sleep(50);
  }
  return seen;
}
