// Which measurements are done, and in which order: contenders take turns, each time in a fresh process.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ContenderName, Figures } from './measures/measure.ts';
import type { Sizes } from './sizes.ts';

export interface Job {
  readonly measure: keyof typeof plan;
  readonly contender: ContenderName;
  readonly origin: string;
  readonly sizes: Sizes;
}

/** The figures of each contender for each measure, one for each repetition. */
export type Samples = Readonly<Record<Job['measure'], Readonly<Record<ContenderName, readonly Figures[]>>>>;

interface Plan {
  readonly contenders: readonly ContenderName[];
  readonly flags?: readonly string[];
}

const both: Plan = { contenders: ['floor', 'ours'] };
// Code that has not run for a while is dropped at some moment, megabytes at once: that would hide what is looked for.
const bothOnASteadyHeap: Plan = { ...both, flags: ['--no-flush-bytecode'] };
const plan = {
  cpu: both,
  cpuStreamed: both,
  wide: both,
  liveMemory: bothOnASteadyHeap,
  held: { contenders: ['ours'] },
  retained: bothOnASteadyHeap,
  served: both,
} satisfies Record<string, Plan>;
const measures = Object.keys(plan) as Job['measure'][];

/** A process that takes longer than this is ended, and the benchmark with it. */
const longestMs = 120_000;

export async function measureAll(origin: string, sizes: Sizes, tell: (progress: string) => void): Promise<Samples> {
  const samples = {} as Record<Job['measure'], Record<ContenderName, Figures[]>>;
  for (const measure of measures) samples[measure] = { floor: [], ours: [] };
  for (let i = 0; i < sizes.repetitions; i++)
    for (const measure of measures)
      for (const contender of inTurn(plan[measure], i)) {
        tell(`repetition ${i + 1} of ${sizes.repetitions}: ${measure}, ${contender}`);
        samples[measure][contender].push(await runProcess({ measure, contender, origin, sizes }));
      }
  return samples;
}

function inTurn({ contenders }: Plan, repetition: number): readonly ContenderName[] {
  return repetition % 2 === 0 ? contenders : contenders.toReversed();
}

async function runProcess(job: Job): Promise<Figures> {
  const { flags = [] }: Plan = plan[job.measure];
  const child = fork(join(import.meta.dirname, 'measure.ts'), [JSON.stringify(job)], {
    execArgv: [...process.execArgv, '--expose-gc', ...flags],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    timeout: longestMs,
    killSignal: 'SIGKILL',
  });
  let figures: Figures | undefined;
  child.once('message', (message) => {
    figures = message as Figures;
  });
  await once(child, 'close');
  if (!figures) throw new TypeError(`${job.measure} of ${job.contender} could not be measured.`);
  return figures;
}
