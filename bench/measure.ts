// One measurement in a fresh process: CPU per sub-agent of one contender. Prints one line of JSON.

import { floor } from './floor.ts';
import { ours } from './ours.ts';

const [contender = '', baseUrl = '', sessions = '200', fanOut = '4'] = process.argv.slice(2);
const contenders: Record<string, () => () => Promise<string>> = {
  floor: () => floor(baseUrl, Number(fanOut)),
  ours: () => ours(baseUrl, Number(fanOut), false),
  'ours, streamed': () => ours(baseUrl, Number(fanOut), true),
};
const run = contenders[contender]?.();
if (!run) throw new TypeError(`No contender ${contender}.`);

async function all(count: number): Promise<void> {
  let left = count;
  const worker = async () => {
    while (left-- > 0) {
      const text = await run?.();
      if (!text?.includes(`lead done ${fanOut}`)) throw new TypeError(`Wrong answer: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: 32 }, worker));
}

await all(60);
const before = process.cpuUsage();
await all(Number(sessions));
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ contender, cpuMs: (user + system) / 1000 / (Number(sessions) * Number(fanOut)) }));
process.exit(0);
