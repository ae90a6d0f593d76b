// `npm run bench`: CPU per sub-agent, beside a hand-written loop over fetch. Fresh processes, interleaved; read the ratios.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const repetitions = Number(process.argv[2] ?? 5);
const file = (name: string) => join(import.meta.dirname, name);
const names = ['floor', 'ours', 'ours, streamed'];

const server = spawn(process.execPath, [file('stand-in.ts')], { stdio: ['ignore', 'pipe', 'inherit'] });
const [port] = (await once(server.stdout, 'data')) as [Buffer];
const baseUrl = `http://127.0.0.1:${port.toString().trim()}`;

const measured = new Map<string, number[]>(names.map((name) => [name, []]));
for (let i = 0; i < repetitions; i++) {
  for (const name of names) {
    const line = execFileSync(process.execPath, [file('measure.ts'), name, baseUrl], { encoding: 'utf8' });
    measured.get(name)?.push((JSON.parse(line) as { cpuMs: number }).cpuMs);
  }
  process.stderr.write(`repetition ${i + 1} of ${repetitions} done\n`);
}
server.kill();

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const base = median(measured.get('floor') ?? []);
console.log('floor: the same scenario as a hand-written loop over fetch, which validates and records nothing.');
console.log(`CPU per sub-agent, 200 leads with 4 sub-agents each, 32 at a time, medians of ${repetitions}:`);
for (const [name, values] of measured)
  console.log(`  ${name.padEnd(16)} ${median(values).toFixed(3)} ms   ${(median(values) / base).toFixed(2)} × floor`);
