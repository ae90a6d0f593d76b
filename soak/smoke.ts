// A worker is killed twice in the middle of a fan-out, and nobody notices: not the answer, not the ledger, not the provider.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { checkKilled, checkRun, checkSame, type Kill, type RunResult } from './checks.ts';
import { Engine } from './engine.ts';
import type { Processes, Started } from './processes.ts';
import { StandIn } from './stand-in.ts';
import { freePorts, waitFor } from './wait.ts';

export interface SmokeOptions {
  readonly processes: Processes;
  /** Where the worker and its packages are. */
  readonly folder: string;
  readonly data: string;
  say(text: string): void;
}

interface Scene extends SmokeOptions {
  readonly engine: Engine;
  readonly standIn: StandIn;
  startWorker(): Promise<Started>;
}

export async function smoke(options: SmokeOptions): Promise<void> {
  const { processes, folder, data, say } = options;
  const standIn = new StandIn();
  const url = await standIn.listen();
  const [port = 0, ...ports] = await freePorts(4);
  const engine = new Engine({ processes, folder, data, ports });
  const startWorker = async () => {
    const args = [join(folder, 'worker.ts'), String(port), url];
    const worker = processes.start({ name: 'worker', file: process.execPath, args });
    await waitFor('the worker is up', () => worker.said().includes('ready') || undefined);
    say(`worker ${worker.pid} serves on port ${port}`);
    return worker;
  };
  let worker: Started | undefined;
  try {
    await engine.ready();
    worker = await startWorker();
    await engine.register(`http://127.0.0.1:${port}`);
    say(`engine ${engine.process.pid} knows the worker`);
    const scene = { ...options, engine, standIn, startWorker };
    const killed = await runKilled(scene, worker);
    const steady = await runSteady(scene);
    const absent = await runAbsent(scene);
    checkSame(killed, steady);
    checkSame(absent, steady);
    say('three runs, one answer, one shape of ledger');
  } catch (error) {
    say(`the engine said: ${engine.process.said()}`);
    say(`the first worker said: ${worker?.said()}`);
    throw error;
  } finally {
    standIn.close();
  }
}

/** Killed when every reader is somewhere else, and again when only the last word is missing. */
async function runKilled(scene: Scene, first: Started): Promise<RunResult> {
  const { engine, standIn, say } = scene;
  const run = 'killed';
  const inFlight = ['1.1/turn.2.model', '1.2/turn.1.tool.1', '1.3/turn.1.model', '1.4/turn.1.model'];
  const cuts = [inFlight.map((call) => `${run}~${call}`), [`${run}/turn.2.model`]];
  const kills: Kill[] = [];
  let worker = first;
  standIn.hold(cuts.flat());
  await engine.start('lead', run, run);
  for (const [i, cut] of cuts.entries()) {
    await waitForCalls(scene, cut);
    await worker.kill();
    await waitForCalls(scene, []);
    const recorded = await engine.recorded(run);
    kills.push({ recorded, cut, asked: new Map(standIn.asked) });
    say(`killed worker ${worker.pid}: ${recorded.length} steps on record, ${cut.length} cut off`);
    standIn.hold(cuts.slice(i + 1).flat());
    worker = await scene.startWorker();
  }
  const result = await resultOf(scene, 'lead', run);
  checkKilled(result, kills);
  say(`survived: ${result.outcome.text}`);
  return result;
}

/** The same, with nobody in the way. */
async function runSteady(scene: Scene): Promise<RunResult> {
  await scene.engine.start('lead', 'steady', 'steady');
  const result = await resultOf(scene, 'lead', 'steady');
  scene.say('ran undisturbed');
  return result;
}

/** Two readers at a time, and a lead that leaves its process while it waits for them. */
async function runAbsent(scene: Scene): Promise<RunResult> {
  const { engine, standIn, say } = scene;
  const run = 'absent';
  const pairs = [
    ['1.1', '1.2'],
    ['1.3', '1.4'],
  ].map((pair) => pair.map((reader) => `${run}~${reader}/turn.2.model`));
  standIn.hold(pairs.flat());
  standIn.most = 0;
  await engine.start('lead-that-leaves', run, run);
  for (const [i, pair] of pairs.entries()) {
    await waitForCalls(scene, pair);
    await waitFor('the lead has left', async () => (await engine.standing(run))[run] === 'suspended' || undefined);
    say('the lead left while two readers are at work');
    standIn.hold(pairs.slice(i + 1).flat());
  }
  const result = await resultOf(scene, 'lead-that-leaves', run);
  assert.equal(standIn.most, 2, 'two readers at a time');
  return result;
}

async function waitForCalls({ standIn }: Scene, calls: readonly string[]): Promise<void> {
  await waitFor(`[${calls}] are under way`, () => standIn.waiting.join() === calls.join() || undefined);
}

async function resultOf({ engine, standIn }: Scene, workflow: string, run: string): Promise<RunResult> {
  const { outcome, facts } = await engine.result<Pick<RunResult, 'outcome' | 'facts'>>(workflow, run);
  const asked = new Map([...standIn.asked].filter(([key]) => key.split(/[~/]/)[0] === run));
  const standing = await engine.standing(run);
  const result = { run, outcome, facts, asked, standing };
  checkRun(result);
  return result;
}
