// The life of a server after it has begun to listen: it serves until a signal comes, or who started it has gone, and then ends, whatever happens.

import { pluginTime } from '@ai-agent/core';
import type { Store } from '@ai-agent/store';
import { exitCodes } from '../../exit-codes.ts';
import type { AgentsOnDuty } from './agents-on-duty.ts';
import type { Answers } from './generation.ts';
import type { House } from './house.ts';
import type { PluginsOfServer } from './plugins-of-server.ts';
import type { ServerLog } from './server-log.ts';
import { listenForStops, type StopSignal } from './stop-signals.ts';

export interface Life {
  readonly house: House;
  readonly duty: AgentsOnDuty;
  readonly plugins: PluginsOfServer;
  readonly answers: Answers;
  readonly log: ServerLog;
  readonly store: Store | undefined;
  readonly graceMs: number;
}

/** What was cancelled has this long to end, and so has each thing that is closed after it. */
const patienceMs = 2_000;

/** Settles with the exit code when everything has ended, or is not waited for any longer. */
export function serveUntilStopped(life: Life): Promise<number> {
  return new Promise((resolve) => {
    let code: number = exitCodes.ok;
    let isEnding = false;
    const hurry = new AbortController();
    const stop = (graceMs: number) => {
      if (isEnding) return;
      isEnding = true;
      void end(life, graceMs, hurry.signal).finally(() => {
        // Whatever was left behind does not keep the process.
        setTimeout(() => process.exit(), leavesInMs).unref();
        resolve(code);
      });
    };
    void life.house.streams?.ended.then(() => stop(graceOfOthers(life)));
    void life.house.slack?.lost.then(() => {
      if (!isInSlackAlone(life.house)) return;
      code = exitCodes.byClass.config;
      stop(life.graceMs);
    });
    listenForStops({
      stop: () => stop(life.graceMs),
      cancel(signal) {
        code = codeOf(signal);
        if (!hurry.signal.aborted) life.log.say('Cancelling what runs.');
        hurry.abort();
        life.house.hall.cancelAll();
      },
      abandon: (signal) => process.exit(codeOf(signal)),
    });
  });
}

/** Who started the process for itself has gone; whoever came by a port or in Slack as well is not cut off. */
export function graceOfOthers({ house: { doors, slack }, graceMs }: Alone): number {
  return doors.length === 0 && !slack ? 0 : graceMs;
}

/** Then nobody can reach it when Slack is gone. */
function isInSlackAlone({ doors, streams }: House): boolean {
  return doors.length === 0 && streams === undefined;
}

interface Alone {
  readonly house: Pick<House, 'doors' | 'slack'>;
  readonly graceMs: number;
}

/** For the output to be written. */
const leavesInMs = 250;

/** Who sends SIGTERM wants it to end, now or later; a second Ctrl-C is a person who does not wait. */
function codeOf(signal: StopSignal): number {
  return signal === 'SIGINT' ? exitCodes.byClass.cancelled : exitCodes.ok;
}

async function end(life: Life, graceMs: number, hurry: AbortSignal): Promise<void> {
  const { house, duty, plugins, answers, log, store } = life;
  const { hall, doors } = house;
  duty.unwatch();
  const stopped = hall.stop(graceMs);
  for (const { listening } of doors) listening.drain();
  // Those that waited for a place are gone by then.
  await new Promise(setImmediate);
  log.say(toWords(hall.running, graceMs));
  await Promise.race([stopped, lateAfter(graceMs + patienceMs), hurried(hurry)]);
  if (hall.running > 0) log.fail(`Left behind, because not ended in time: ${counted(hall.running)}.`);
  await within(house.close(), hurry.aborted ? patienceMs : patienceFor(house));
  await Promise.all(doors.map(({ listening }) => within(listening.close(patienceMs / 2))));
  await plugins.wait(hurry.aborted ? 0 : Math.min(life.graceMs, pluginTime.waitMs));
  await within(duty.close());
  for (const sentence of (await within(answers.settled())) ?? []) log.fail(sentence);
  if (store) await within(store.close());
  log.say('Stopped.');
}

function toWords(running: number, graceMs: number): string {
  if (running === 0) return 'Stopping: nothing runs.';
  if (graceMs === 0) return `Stopping: ${counted(running)} ${running === 1 ? 'is' : 'are'} cancelled.`;
  return `Stopping: ${counted(running)} ${running === 1 ? 'gets' : 'get'} up to ${graceMs / 1_000} s. Ctrl-C again cancels ${running === 1 ? 'it' : 'them'}.`;
}

function counted(running: number): string {
  return running === 1 ? '1 run' : `${running} runs`;
}

/** Some time after somebody lost patience. */
function hurried(hurry: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wait = () => setTimeout(resolve, patienceMs).unref();
    if (hurry.aborted) wait();
    else hurry.addEventListener('abort', wait, { once: true });
  });
}

/** Node takes what is longer for no time at all. */
const longestTimerMs = 2 ** 31 - 1;

function lateAfter(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, Math.min(ms, longestTimerMs)).unref();
  });
}

/** Answers that are long come into their threads one message a second. */
const writingMs = 10_000;

/** What is left to be written in Slack is what people wait for there. */
export function patienceFor({ slack }: Pick<House, 'slack'>): number {
  return slack && slack.running > 0 ? writingMs : patienceMs;
}

/** Whatever it does, it is not waited for longer than this. */
async function within<T>(work: Promise<T>, ms = patienceMs): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([work, late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
