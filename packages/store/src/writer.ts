// A process that writes to a store, and whether it is still there: what it left under way is interrupted when it is not.

import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

export interface Writer {
  readonly id: string;
  /** Where its process number means something. */
  readonly host: string;
  readonly pid: number;
  /** When its process began, in the words of its system: a number may be given again. Null where that is not told. */
  readonly started: string | null;
}

/** How often each says that it is there, and looks after the others. */
export const beatMs = 5_000;
/** Whoever has said nothing for as long is gone, where its process cannot be looked at. */
export const goneAfterMs = 20_000;

/** This process. Each store that it opens is a writer of its own. */
export function thisWriter(): Writer {
  const chance = Math.random().toString(36).slice(2);
  return {
    id: `${process.pid}-${Date.now().toString(36)}-${chance}`,
    host: thisHost(),
    pid: process.pid,
    started: startOf(process.pid) ?? null,
  };
}

/** `seen` is when it last said that it is there. */
export function isGone(writer: Writer & { readonly seen: number }, now: number): boolean {
  const { host, pid, started, seen } = writer;
  const isUnseen = now - seen > goneAfterMs;
  if (host !== thisHost()) return isUnseen;
  if (!isRunning(pid)) return true;
  const start = startOf(pid);
  // A process that is stopped, or sleeps with its machine, says nothing and is not gone.
  return start === undefined || started === null ? isUnseen : start !== started;
}

/** Containers may share a name, and machines too, and have processes of their own. */
function thisHost(): string {
  return `${hostname()} ${readOr(() => readlinkSync('/proc/self/ns/pid'), '')} ${thisBoot()}`.trim();
}

/** Which start of this machine it is: no other has the same. */
function thisBoot(): string {
  return readOr(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim(), '');
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Ticks since its machine was started. Nothing for what has ended and was not fetched yet. */
function startOf(pid: number): string | undefined {
  const stat = readOr(() => readFileSync(`/proc/${pid}/stat`, 'latin1'), '');
  // The name of the program comes second, in brackets, and may have anything in it.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields[18];
  if (ticks === undefined) return undefined;
  return state === 'Z' || state === 'X' ? 'ended' : ticks;
}

function readOr<T>(read: () => T, other: T): T {
  try {
    return read();
  } catch {
    return other;
  }
}
