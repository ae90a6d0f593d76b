// The promise: whatever is asked of any route, the reply is a proper answer or the one shape of errors: never a crash, a hang, a 500,
// a stack trace or a path of the server. SEED=n asks other things, RUNS=n more of them.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fuzzHouse } from './support/fuzz-house.ts';
import { type FuzzRequest, requests, showRequest, sweep } from './support/fuzz-requests.ts';
import { faultsOf } from './support/judge-reply.ts';

const seed = Number(process.env.SEED ?? 20_261_115);
const numRuns = Number(process.env.RUNS ?? 1_500);

const patience = process.env.RUNS ? 3_600_000 : 30_000;

describe('in memory', () => {
  test('whatever chance asks for', { timeout: patience }, async () => {
    const { check, statuses, house } = inMemory();
    await fc.assert(fc.asyncProperty(requests(house), check), { seed, numRuns, endOnFailure: true });
    if (process.env.RUNS) process.stdout.write(`${JSON.stringify([...statuses])}\n`);
    // Not only refusals: otherwise nothing behind them was seen.
    for (const status of [200, 400, 404, 405]) expect(statuses).toContain(status);
    expect(house.hall.running).toBe(0);
  });

  test('whatever chance asks for where there are keys', { timeout: patience }, async () => {
    const { check, statuses, house } = inMemory({ hasKeys: true });
    await fc.assert(fc.asyncProperty(requests(house), check), { seed, numRuns, endOnFailure: true });
    for (const status of [200, 400, 401, 404, 405]) expect(statuses).toContain(status);
    expect(house.hall.running).toBe(0);
  });

  test('everything odd in every place where it fits', { timeout: patience }, async () => {
    const { check, statuses, house } = inMemory();
    for (const request of sweep(house)) await check(request);
    for (const status of [200, 400, 404, 405, 413]) expect(statuses).toContain(status);
    expect(house.hall.running).toBe(0);
  });
});

function inMemory(options: Parameters<typeof fuzzHouse>[0] = {}) {
  const house = fuzzHouse(options);
  const statuses = new Set<number>();
  const check = async (request: FuzzRequest) => {
    const reply = await inTime(ask(house.app, request), request);
    if (reply === undefined) return;
    statuses.add(reply.status);
    const faults = [...faultsOf(reply, request.method), ...house.bugs.map((bug) => `A bug: ${(bug as Error).stack}`)];
    if ('polluted' in {}) faults.push('Every object is polluted.');
    if (faults.length > 0) throw new TypeError(`SEED=${seed}\n${showRequest(request)}\n${faults.join('\n')}`);
  };
  return { check, statuses, house };
}

async function ask(app: ReturnType<typeof fuzzHouse>['app'], { method, target, headers, body }: FuzzRequest) {
  let request: Request;
  try {
    request = new Request(`http://127.0.0.1${target}`, {
      method,
      headers: headers as [string, string][],
      body: body as Uint8Array<ArrayBuffer>,
    });
  } catch {
    // What cannot even be said in memory is said over sockets.
    return undefined;
  }
  const response = await app.fetch(request);
  return { status: response.status, headers: response.headers, body: await response.text() };
}

async function inTime<T>(work: Promise<T>, request: FuzzRequest): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TypeError(`No reply within five seconds: ${showRequest(request)}`)), 5_000);
  });
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
