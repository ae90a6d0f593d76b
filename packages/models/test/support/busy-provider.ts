// A chat provider that remembers when it was asked, by whom, and how many it served at once.

import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { completion } from './answering.ts';
import { serve } from './raw-server.ts';

export interface Arrival {
  /** Milliseconds since the first one. */
  readonly at: number;
  readonly headers: IncomingHttpHeaders;
  /** What the session was told to do. */
  readonly prompt: string;
}

export interface BusyProvider {
  readonly baseUrl: string;
  readonly arrivals: readonly Arrival[];
  readonly mostAtOnce: number;
}

/** The first argument counts from 1. What it does not answer itself is answered after `latencyMs`. */
export type Answer = (count: number, response: ServerResponse, arrival: Arrival) => boolean | undefined;

export async function busyProvider(answer: Answer = () => {}, latencyMs = 0): Promise<BusyProvider> {
  const arrivals: Arrival[] = [];
  let [atOnce, mostAtOnce, begun] = [0, 0, 0];
  const { baseUrl } = await serve(({ headers }, response, body) => {
    begun ||= performance.now();
    const { messages } = JSON.parse(body) as { readonly messages: readonly { readonly content: string }[] };
    const arrival = { at: performance.now() - begun, headers, prompt: messages.at(-1)?.content ?? '' };
    mostAtOnce = Math.max(mostAtOnce, ++atOnce);
    response.once('close', () => atOnce--);
    if (answer(arrivals.push(arrival), response, arrival)) return;
    setTimeout(() => response.end(completion), latencyMs);
  });
  return {
    baseUrl,
    arrivals,
    get mostAtOnce() {
      return mostAtOnce;
    },
  };
}

/** For answers that are refusals. */
export function refuse(
  response: ServerResponse,
  headers: Readonly<Record<string, string>> = {},
  { status = 429, body = { error: { message: 'Slow down', type: 'rate_limit_error' } } as object } = {},
): true {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  return true;
}
