// CPU of a server per request and per streamed chunk, over real sockets, its visitors in a process of their own.
// Of the library's, the same sessions without a server are taken off: what is left is what the server adds.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Serving, words } from '../serving.ts';
import type { Errand } from '../visitors.ts';
import { atATime, type ContenderName, type Measure } from './measure.ts';

export const served: Measure = async ({ contender, sizes }) => {
  const serving = await servers[contender]();
  const visitors = fork(join(import.meta.dirname, '../visitors.ts'), { execArgv: [] });
  const { warm, requests, streams } = sizes.served;
  const visit = (count: number, isStreamed: boolean) =>
    send(visitors, { url: serving.url, count, atATime, isStreamed });
  const addedBy = async (count: number, isStreamed: boolean) => {
    const through = await measure(() => visit(count, isStreamed));
    const inside = await measure(() => runInside(serving, count, isStreamed));
    return (through - inside) / count;
  };
  try {
    for (const isStreamed of [false, true]) {
      const count = isStreamed ? atATime : warm;
      await visit(count, isStreamed);
      await runInside(serving, count, isStreamed);
    }
    const [whole, streamed] = [await addedBy(requests, false), await addedBy(streams, true)];
    return { requestUs: whole, chunkUs: (streamed - whole) / words };
  } finally {
    visitors.kill();
  }
};

const servers: Record<ContenderName, () => Promise<Serving>> = {
  ours: async () => (await import('../our-server.ts')).serveOurs(),
  floor: async () => (await import('../bare-server.ts')).serveBare(),
};

/** Microseconds of this process. */
async function measure(work: () => Promise<void>): Promise<number> {
  globalThis.gc?.();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

async function send(visitors: ChildProcess, errand: Errand): Promise<void> {
  visitors.send(errand);
  const [right] = (await once(visitors, 'message')) as [number];
  if (right < errand.count) throw new RangeError(`${right} of ${errand.count} visitors got what they asked for.`);
}

async function runInside({ runInside: run }: Serving, count: number, isStreamed: boolean): Promise<void> {
  if (!run) return;
  let started = 0;
  const runOneByOne = async () => {
    while (started < count) await run(`visitor${started++}`, isStreamed);
  };
  await Promise.all(Array.from({ length: atATime }, runOneByOne));
}
