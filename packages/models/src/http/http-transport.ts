// The transport of this package: HTTP over pooled connections, loaded by the first request. The work is in http-pools.

import { lazily } from '../lazily.ts';
import type { Pools } from './http-pools.ts';
import type { Transport, TransportOptions } from './transport.ts';

const load = lazily(() => import('./http-pools.ts'));

/**
 * Not the fetch of Node: that one gives up after five minutes without headers, and costs twice the work. Waiting is
 * bounded by the caller's signal alone.
 */
export function createTransport(options: TransportOptions = {}): Transport {
  let pools: Pools | undefined;
  let isClosed = false;

  async function open(): Promise<Pools> {
    const { Pools } = await load();
    pools ??= new Pools(options);
    if (isClosed) pools.close();
    return pools;
  }

  return {
    fetch: (input, init) => (pools ? pools.fetch(input, init) : open().then((opened) => opened.fetch(input, init))),
    close() {
      isClosed = true;
      pools?.close();
    },
  };
}
