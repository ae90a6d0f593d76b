// `npm run bench`: what the library costs beside a hand-written loop, held to goals. `--help` says what there is.

import { availableParallelism, loadavg } from 'node:os';
import { toLines } from './goals.ts';
import { help, type Options, parseOptions } from './options.ts';
import { toTable } from './report.ts';
import { measureAll } from './schedule.ts';
import { full, quick } from './sizes.ts';
import { withStandIn } from './stand-in-control.ts';
import { measureStarts } from './starts.ts';

try {
  const options = parseOptions(process.argv.slice(2));
  if (options.help) process.stdout.write(help);
  else await run(options);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}

async function run(options: Options): Promise<void> {
  const sizes = options.quick ? quick : full;
  const startedAt = performance.now();
  const tell = (progress: string) => {
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    process.stderr.write(`${String(seconds).padStart(4)} s  ${progress}\n`);
  };
  const cores = availableParallelism();
  const [load = 0] = loadavg();
  if (load > cores / 2) tell(`the machine is busy, its load is ${load.toFixed(1)}: expect noise`);
  const starts = await measureStarts(sizes.starts, tell);
  const samples = await withStandIn((origin) => measureAll(origin, sizes, tell));
  tell('done');
  const lines = toLines({ samples, starts }, sizes);
  const machine = { node: process.version, cores };
  if (options.json) console.log(JSON.stringify({ ...machine, sizes, lines, samples, starts }, null, 2));
  else {
    const measured = `${sizes.repetitions} ${sizes.repetitions === 1 ? 'small repetition' : 'repetitions, medians'}`;
    console.log(
      `\n${toTable(lines, { hasVerdict: !options.quick })}\n\n${measured}, Node ${machine.node}, ${machine.cores} cores. See docs/performance.md`,
    );
  }
  if (options.check && lines.some(({ isMet }) => !isMet)) process.exitCode = 1;
}
