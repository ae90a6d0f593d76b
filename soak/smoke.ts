// A worker is killed in the middle of its runs, and nobody notices: not the answer, not the ledger, not the provider.

import assert from 'node:assert/strict';
import { checkCancelled, checkKilled, checkRun, checkSame, type Kill, type RunResult } from './checks.ts';
import { type Planned, Scene, type SceneOptions } from './scene.ts';
import { waitFor } from './wait.ts';

export async function smoke(options: SceneOptions): Promise<void> {
  const scene = await Scene.set(options);
  try {
    await scene.open();
    const killed = await runKilled(scene);
    const steady = await runSteady(scene);
    const absent = await runAbsent(scene);
    checkSame(killed, steady);
    checkSame(absent, steady);
    scene.say('three runs, one answer, one shape of ledger');
    await runKept(scene);
    await runCancelled(scene);
  } catch (error) {
    scene.say(scene.said);
    throw error;
  } finally {
    scene.close();
  }
}

/** Killed when every reader is somewhere else, and again when only the last word is missing. */
function runKilled(scene: Scene): Promise<RunResult> {
  const inFlight = ['~1.1/turn.2.model', '~1.2/turn.1.tool.2', '~1.3/turn.1.model', '~1.4/turn.1.model'];
  return killDuring(scene, { run: 'killed', workflow: 'lead' }, [inFlight, ['/turn.2.model']]);
}

/** Readers that go on from one another, killed at the third: what the first two said comes from the records. */
function runKept(scene: Scene): Promise<RunResult> {
  return killDuring(scene, { run: 'kept', workflow: 'lead-of-one-clerk', isKept: true }, [['~1.3/turn.1.model']]);
}

/** Kills the worker once for each list, when exactly those calls are under way. */
async function killDuring(scene: Scene, planned: Planned, calls: readonly (readonly string[])[]): Promise<RunResult> {
  const { engine, standIn } = scene;
  const { run, workflow } = planned;
  const cuts = calls.map((list) => list.map((call) => `${run}${call}`));
  const kills: Kill[] = [];
  standIn.hold(cuts.flat());
  await engine.start(workflow, run, run);
  for (const [i, cut] of cuts.entries()) {
    await scene.waitForCalls(cut);
    await scene.waitForRecords(run);
    const pid = await scene.killWorker();
    await scene.waitForCalls([]);
    const recorded = await engine.recorded(run);
    kills.push({ recorded, cut, asked: new Map(standIn.asked) });
    scene.say(`killed worker ${pid}: ${recorded.length} steps on record, ${cut.length} cut off`);
    standIn.hold(cuts.slice(i + 1).flat());
    await scene.startWorker();
  }
  const result = await scene.resultOf(planned);
  checkRun(result);
  checkKilled(result, kills);
  scene.say(`survived: ${result.outcome.text}`);
  return result;
}

/** With nobody in the way. */
async function runSteady(scene: Scene): Promise<RunResult> {
  const planned = { run: 'steady', workflow: 'lead' };
  await scene.engine.start(planned.workflow, planned.run, planned.run);
  const result = await scene.resultOf(planned);
  checkRun(result);
  scene.say('ran undisturbed');
  return result;
}

/** Two readers at a time, and a lead that leaves its process while it waits for them. */
async function runAbsent(scene: Scene): Promise<RunResult> {
  const { engine, standIn } = scene;
  const planned = { run: 'absent', workflow: 'lead-that-leaves' };
  const toCall = (reader: string) => `${planned.run}~${reader}/turn.2.model`;
  const pairs = [['1.1', '1.2'].map(toCall), ['1.3', '1.4'].map(toCall)];
  const hasLeft = async () => (await engine.standing(planned.run))[planned.run] === 'suspended' || undefined;
  standIn.hold(pairs.flat());
  standIn.most = 0;
  await engine.start(planned.workflow, planned.run, planned.run);
  for (const [i, pair] of pairs.entries()) {
    await scene.waitForCalls(pair);
    await waitFor('the lead has left', hasLeft);
    scene.say('the lead left while two readers are at work');
    standIn.hold(pairs.slice(i + 1).flat());
  }
  const result = await scene.resultOf(planned);
  checkRun(result);
  assert.equal(standIn.most, 2, 'two readers at a time');
  return result;
}

/** Cancelled while every reader waits for its model: all of them end, and say so. */
async function runCancelled(scene: Scene): Promise<void> {
  const { engine, standIn } = scene;
  const planned = { run: 'cancelled', workflow: 'lead' };
  const calls = ['1.1', '1.2', '1.3', '1.4'].map((reader) => `${planned.run}~${reader}/turn.1.model`);
  standIn.hold(calls);
  await engine.start(planned.workflow, planned.run, planned.run);
  await scene.waitForCalls(calls);
  await engine.cancel(planned.run);
  checkCancelled(await scene.resultOf(planned), calls);
  await scene.waitForCalls([]);
  scene.say('cancelled, down to the last request');
}
