// The promise: an agent whose tool is the very server that runs it ends at every bound: answered, or refused in words that its model
// reads; never a wait for a place that whoever waits holds itself.

import { describe, expect, test } from 'vitest';
import { caller, ownServer } from './support/own-server.ts';

const many = 100;
const bounds = [1, 2, 3].flatMap((running) => [0, 1, many].map((waiting) => ({ running, waiting })));

describe.each(bounds)('with $running at once and $waiting waiting', (size) => {
  const places = { rest: size };

  test('a chain of three is answered', async () => {
    const { url } = await ownServer(
      (at) => [caller('a', [`${at}/v1/b`]), caller('b', [`${at}/v1/c`]), caller('c', [])],
      { places },
    );
    expect(await inTime(ask(`${url}/v1/a`))).toEqual([200, 'a(b(c))']);
  });

  test('several at once are answered, or told that it is full', async () => {
    const { url, hall } = await ownServer(
      (at) => [
        caller('a', Array(4).fill(`${at}/v1/b`)),
        caller('b', [`${at}/v1/c`, `${at}/v1/c`]),
        caller('c', []),
      ],
      { places },
    );
    const replies = await inTime(Promise.all([1, 2, 3, 4, 5].map(() => ask(`${url}/v1/a`))));
    const room = size.running + size.waiting;
    expect(replies.filter(([status]) => status === 200)).toHaveLength(Math.min(5, room));
    for (const [status, text] of replies) {
      if (status === 503) expect(text).toContain('server-full');
      else expect(partsOf(text)).toEqual(expected(room));
    }
    expect([hall.running, hall.placesOf('rest').running, hall.placesOf('rest').waiting]).toEqual([0, 0, 0]);
  });
});

/** How many of the four of the second level answered, and how many of the two below each. */
function expected(room: number) {
  const inner = `b(${[...Array(Math.min(2, room)).fill('c'), ...Array(Math.max(0, 2 - room)).fill('full')].join(', ')})`;
  return [...Array(Math.min(4, room)).fill(inner), ...Array(Math.max(0, 4 - room)).fill('full')].sort();
}
