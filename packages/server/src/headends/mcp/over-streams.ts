// The protocol over two streams, as a client has them that started this process. What speaks it is loaded when that is asked for.

import type { Hall } from '../../hall.ts';
import type { OverStreams, StreamsOptions } from './stdio.ts';

export type { OverStreams, StreamsOptions };

/** Whoever is at the other end may call every agent: the process is theirs. */
export async function serveMcpOver(hall: Hall, options: StreamsOptions): Promise<OverStreams> {
  const { serveStreams } = await loadMcpOver();
  return serveStreams(hall, options);
}

/** What it takes, for whoever has something else to wait for meanwhile. */
export function loadMcpOver(): Promise<typeof import('./stdio.ts')> {
  return import('./stdio.ts');
}
