// The protocol over two streams, as a client has them that started this process. What speaks it is loaded when that is asked for.

import type { Hall } from '../../hall.ts';
import type { OverStreams, StreamsOptions } from './stdio.ts';

export type { OverStreams, StreamsOptions };

/** Whoever is at the other end may call every agent: the process is theirs. */
export async function serveMcpOver(hall: Hall, options: StreamsOptions): Promise<OverStreams> {
  const { serveStreams } = await import('./stdio.ts');
  return serveStreams(hall, options);
}
