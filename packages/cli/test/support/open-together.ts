// Opens many streams, some at a time, until all of them are open at once: a busy machine has no time for all in one moment.

import { type Listener, type ReadStream, readStream } from './read-stream.ts';

const atOnce = 100;

/** Gives the streams when each has its first text. Rejects when one ends before it. */
export async function openTogether(
  addresses: readonly string[],
  onBegin: (number: number, leave: () => void) => void = () => {},
): Promise<readonly Promise<ReadStream>[]> {
  const all: Promise<ReadStream>[] = [];
  for (let from = 0; from < addresses.length; from += atOnce) {
    const some = addresses
      .slice(from, from + atOnce)
      .map((address, i) => open(address, (leave) => onBegin(from + i, leave)));
    all.push(...some.map(({ read }) => read));
    await Promise.all(some.map(({ begun }) => begun));
  }
  return all;
}

function open(address: string, onBegin: (leave: () => void) => void) {
  const begun = Promise.withResolvers<void>();
  let hasBegun = false;
  const listener: Listener = ({ event }, leave) => {
    if (event !== 'text' || hasBegun) return;
    hasBegun = true;
    onBegin(leave);
    begun.resolve();
  };
  const read = readStream(address, listener);
  const tooSoon = ({ status, events }: ReadStream) =>
    begun.reject(new TypeError(`It ended before it began: ${status} ${JSON.stringify(events.at(-1))}`));
  read.then(tooSoon, begun.reject);
  return { read, begun: begun.promise };
}
