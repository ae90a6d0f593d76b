// Which measurements are done, and in which order: contenders take turns, each time in a fresh process.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Figures } from './measures/measure.ts';
import type { Sizes } from './sizes.ts';

export type ContenderName = 'floor' | 'ours';

export interface Job {
  readonly measure: keyof typeof plan;
  readonly contender: ContenderName;
  readonly origin: string;
  readonly sizes: Sizes;
}

/** The figures of each contender for each measure, one for each repetition. */
export type Samples = Readonly<Record<Job['measure'], Readonly<Record<ContenderName, readonly Figures[]>>>>;

const both: readonly ContenderName[] = ['floor', 'ours'];
const plan = {
  cpu: both,
  cpuStreamed: both,
  wide: both,
  liveMemory: both,
  held: ['ours'],
  retained: both,
} as const satisfies Record<string, readonly ContenderName[]>;
const measures = Object.keys(plan) as Job['measure'][];

/** A process that takes longer than this is ended, and the benchmark with it. */
const longestMs = 120_000;

export async function measureAll(origin: string, sizes: Sizes, tell: (progress: string) => void): Promise<Samples> {
  const samples = {} as Record<Job['measure'], Record<ContenderName, Figures[]>>;
  for (const measure of measures) samples[measure] = { floor: [], ours: [] };
  for (let i = 0; i < sizes.repetitions; i++)
    for (const measure of measures)
      for (const contender of i % 2 === 0 ? plan[measure] : plan[measure].toReversed()) {
        tell(`repetition ${i + 1} of ${sizes.repetitions}: ${measure}, ${contender}`);
        samples[measure][contender].push(await runProcess({ measure, contender, origin, sizes }));
      }
  return samples;
}

async function runProcess(job: Job): Promise<Figures> {
  const child = fork(join(import.meta.dirname, 'measure.ts'), [JSON.stringify(job)], {
    execArgv: [...process.execArgv, '--expose-gc'],
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
