// One measurement in a fresh process, started by schedule.ts: a job comes as an argument, figures leave as a message.

import { cpu, cpuStreamed } from './measures/cpu.ts';
import { wide } from './measures/fan-out.ts';
import { held } from './measures/held.ts';
import { liveMemory } from './measures/live-memory.ts';
import type { Measure } from './measures/measure.ts';
import { retained } from './measures/retained.ts';
import { served } from './measures/served.ts';
import type { SetUp } from './scenario.ts';
import type { Job } from './schedule.ts';
import { control } from './stand-in-control.ts';

const measures: Record<Job['measure'], Measure> = { cpu, cpuStreamed, wide, liveMemory, held, retained, served };

/** Loaded one without the other: code that does not run still makes the heap larger. */
const contenders: Record<Job['contender'], () => Promise<SetUp>> = {
  floor: async () => (await import('./floor.ts')).floor,
  ours: async () => (await import('./ours.ts')).ours,
};

// Whoever started it is gone: nobody is left to tell.
process.once('disconnect', () => process.exit(1));
const { measure, contender, origin, sizes } = JSON.parse(process.argv[2] ?? '') as Job;
const setUp = await contenders[contender]();
await control(origin, { delayMs: 0, holdsChildren: false });
const figures = await measures[measure]({ contender, setUp, origin, sizes });
process.send?.(figures, () => process.exit());
