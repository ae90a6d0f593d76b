// Runs a world to its end: nothing moves but what is due, and time goes on when nothing else can.

import { AIAgentSession, inProcess, MemoryPauses, type RuntimeFactory } from '@ai-agent/core';
import { countingIds, FakeClock, strict } from '@ai-agent/core/testing';
import { nextTick } from '../support/walk.ts';
import { Crowd } from './crowd.ts';
import { plant } from './planting.ts';
import type { TreeSpec, WorldSpec } from './spec.ts';
import { type Common, rightAnswer, Stage } from './stage.ts';
import { WatchedSignals } from './watches.ts';

export interface Ended {
  readonly spec: WorldSpec;
  readonly stages: readonly Stage[];
  /** Places that are held or waited for, and listeners on signals that nobody aborted. */
  readonly left: { readonly places: number; readonly listeners: number };
  readonly problems: string[];
}

interface Options {
  /** Under the strict one. @default in process */
  readonly runtime?: RuntimeFactory;
  /** What an earlier run of the same world handed over. */
  readonly history?: Map<string, string[]>;
}

/** So many moments are enough for any of these worlds: who is not done then never will be. */
const maxMoments = 20_000;

export async function live(spec: WorldSpec, options: Options = {}): Promise<Ended> {
  const common: Common = { clock: new FakeClock(), crowd: new Crowd(spec.slots), problems: [] };
  const stages: Stage[] = [];
  const signals = new WatchedSignals();
  try {
    for (const [i, tree] of spec.trees.entries()) {
      const begin = () => new Planting(spec, common, stages, options).start(`t${i}`, tree);
      common.clock.after(tree.startMs, begin);
    }
    const moments = await passTime(spec, common, stages);
    for (const stage of stages) if (!stage.isOver) stage.problem(`has not ended after ${moments} moments`);
    const left = { places: common.crowd.left, listeners: signals.left };
    await drain(common, stages);
    return { spec, stages, left, problems: common.problems };
  } finally {
    signals.end();
  }
}

async function passTime(spec: WorldSpec, { clock }: Common, stages: readonly Stage[]): Promise<number> {
  for (let moment = 1; moment <= maxMoments; moment++) {
    await rest(stages);
    if (spec.trees.every((_, i) => stages.some(({ name }) => name === `t${i}`)) && stages.every(({ isOver }) => isOver))
      return moment;
    if (clock.nextAt !== undefined && clock.nextAt < never) clock.advance(clock.nextAt - clock.now());
    else if (!stages.some((stage) => !stage.isOver && stage.release())) return moment;
  }
  return maxMoments;
}

const never = Number.MAX_SAFE_INTEGER / 8;

/** What was left behind comes to its own end, and must not be noticed. */
async function drain({ clock }: Common, stages: readonly Stage[]): Promise<void> {
  for (let moment = 1; moment <= 1_000; moment++) {
    await rest(stages);
    if (clock.nextAt === undefined || clock.nextAt >= never) return;
    clock.advance(clock.nextAt - clock.now());
  }
}

async function rest(stages: readonly Stage[]): Promise<void> {
  await nextTick();
  await nextTick();
  for (const stage of stages) {
    stage.budget.rest();
    if (stage.isOver && !stage.isLookedAt) stage.look();
  }
}

class Planting {
  readonly #spec: WorldSpec;
  readonly #common: Common;
  readonly #stages: Stage[];
  readonly #options: Options;
  readonly #pauses = new MemoryPauses();

  constructor(spec: WorldSpec, common: Common, stages: Stage[], options: Options) {
    this.#spec = spec;
    this.#common = common;
    this.#stages = stages;
    this.#options = options;
  }

  start(name: string, tree: TreeSpec, resume?: { readonly handle: string; readonly answer: string }): void {
    const { clock, crowd } = this.#common;
    const stage = new Stage(name, tree, this.#common);
    this.#stages.push(stage);
    const { runtime = inProcess, history } = this.#options;
    const session = new AIAgentSession({
      agent: plant(this.#spec, stage),
      ports: {
        clock: stage.clock,
        ids: countingIds(name),
        slots: crowd.slots,
        budget: stage.budget,
        pauses: this.#pauses,
        prices: (agent) => this.#priceOf(agent),
      },
      sessionId: name,
      runtime: strict(stage.work.under(runtime), { nextTick, ...(history ? { history } : {}) }),
      middleware: stage.middleware,
      onFact: (fact) => stage.hear(fact),
      ...(tree.budget ? { budget: tree.budget } : {}),
      ...(tree.hasSignal ? { signal: stage.controller.signal } : {}),
      ...(tree.isAttended ? { onQuestion: (question) => stage.answer(question) } : {}),
      ...(resume ? { resume: resume.handle } : {}),
    });
    const run = session.run(resume?.answer ?? 'go');
    stage.run = run;
    for (const event of tree.events) if (event.at === 'ms') clock.after(event.n, () => stage.act(event));
    run.outcome.then(
      (outcome) => {
        stage.outcome = outcome;
        this.#end(stage);
      },
      (error) => {
        stage.problem(`the outcome rejects with ${String(error)}`);
        this.#end(stage);
      },
    );
  }

  #end(stage: Stage): void {
    const { outcome, name, spec } = stage;
    stage.isOver = true;
    if (outcome?.status !== 'needs_user_input' || spec.resumes === 0) return;
    const resume = { handle: outcome.resume, answer: String(rightAnswer(outcome.question)) };
    this.start(`${name}r`, { ...spec, resumes: spec.resumes - 1, events: [] }, resume);
  }

  #priceOf(agent: string) {
    const { price = 'unknown' } = this.#spec.agents[Number(agent.slice(1))] ?? {};
    if (price === 'unknown') return undefined;
    return price === 'reported' ? price : { input: price, output: 2 * price };
  }
}
