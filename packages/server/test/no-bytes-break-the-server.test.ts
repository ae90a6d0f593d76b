// The promise: whatever bytes come over a connection, and wherever it breaks off, the reply is a proper answer or the one shape of
// errors, or the connection ends: never a crash, a hang, a 500, a stack trace or a path. SEED=n sends others, RUNS=n more of them.

import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listen } from '../src/index.ts';
import { oddBodiesSent, oddHeads, talks } from './support/fuzz-bytes.ts';
import { fuzzHouse } from './support/fuzz-house.ts';
import { faultsOf } from './support/judge-reply.ts';
import { type RawTalk, readReplies, talk } from './support/raw-talk.ts';

const seed = Number(process.env.SEED ?? 20_261_115);
const numRuns = Number(process.env.RUNS ?? 6);
const atOnce = 80;
const patience = process.env.RUNS ? 3_600_000 : 40_000;
/** Far more than all the times below together. */
const hangsAfterMs = 8_000;

describe('over a connection', () => {
  test('everything odd that somebody thought of', { timeout: patience }, async () => {
    const { check, isWell, statuses } = await open();
    const all = [...oddHeads, ...oddBodiesSent].flatMap((text) => {
      const bytes = Buffer.from(text, 'latin1');
      return (['wait', 'fin', 'reset'] as const).map((last) => ({ pieces: [bytes], last }));
    });
    for (let i = 0; i < all.length; i += atOnce) await Promise.all(all.slice(i, i + atOnce).map(check));
    for (const status of [200, 400, 404, 408, 413, 431]) expect(statuses).toContain(status);
    await isWell();
  });

  test('whatever chance sends', { timeout: patience }, async () => {
    const { check, isWell, house } = await open();
    const crowd = fc.array(talks(house), { minLength: atOnce, maxLength: atOnce });
    const property = fc.asyncProperty(crowd, async (each) => {
      await Promise.all(each.map(check));
    });
    await fc.assert(property, { seed, numRuns, endOnFailure: true });
    await isWell();
  });
});

async function open() {
  const house = fuzzHouse();
  const bugs: unknown[] = [];
  const times = { headersTimeoutMs: 150, requestTimeoutMs: 150, keepAliveTimeoutMs: 100, checkMs: 30 };
  const { url, port, close } = await listen(house.app, { port: 0, ...times, onBug: (bug) => bugs.push(bug) });
  onTestFinished(() => close(0));
  const statuses = new Set<number>();
  const check = async (said: RawTalk) => {
    const { bytes, how } = await talk(port, said, hangsAfterMs);
    const { replies, rest } = readReplies(bytes);
    // A reply to HEAD has no body, and may say how long it would be: what is behind it begins with the next.
    const hasHead = /\bHEAD\b/.test(Buffer.concat(said.pieces).toString('latin1'));
    const faults = replies.flatMap((reply) => faultsOf(reply, hasHead && reply.body === '' ? 'HEAD' : ''));
    for (const { status } of replies) statuses.add(status);
    if (how === 'hangs') faults.push(`the connection hangs after ${show(bytes)}`);
    if (rest !== '' && !hasHead && how === 'closed') faults.push(`half a reply: ${JSON.stringify(rest.slice(0, 200))}`);
    const isHeard = said.pieces.some((piece) => piece.some((byte) => byte !== 13 && byte !== 10));
    if (bytes.length === 0 && said.last === 'wait' && how === 'closed' && isHeard) faults.push('no reply at all');
    for (const bug of [...house.bugs, ...bugs]) faults.push(`a bug: ${(bug as Error).stack}`);
    if (faults.length > 0)
      throw new TypeError(`SEED=${seed}\n${said.last} ${said.pieces.map(show).join(' | ')}\n${faults.join('\n')}`);
  };
  const isWell = async () => {
    const response = await fetch(`${url}/v1/echo?q=Hello`);
    expect([response.status, await response.text()]).toEqual([200, 'Said again.']);
    expect(house.hall.running).toBe(0);
  };
  return { check, isWell, house, statuses };
}

function show(piece: Uint8Array): string {
  const text = Buffer.from(piece).toString('latin1');
  return JSON.stringify(text.length > 500 ? `${text.slice(0, 400)}…(${text.length})` : text);
}
