// Ten ways in which a model request fails on the wire, and what each lets the client know about its usage.

import type { ServerResponse } from 'node:http';
import type { Chance } from '../chance.ts';

/** `zero`: the model was never reached. `unknown`: tokens may have been spent, and no figure arrived. */
export type Reported = 'usage' | 'zero' | 'unknown';

export type Fault = keyof typeof faults;

/** A reply as the pieces of its body. The last two pieces of a stream are the usage and the end mark. */
export interface Wire {
  readonly type: string;
  readonly pieces: readonly string[];
}

type Fail = (response: ServerResponse, wire: Wire, chance: Chance) => Reported;

const faults = {
  reset: (response) => {
    response.socket?.resetAndDestroy();
    return 'unknown';
  },
  'server error': (response, _wire, chance) => {
    refuse(response, chance.pick([500, 502, 503, 529]) ?? 500);
    return 'unknown';
  },
  'rate limit': (response) => {
    refuse(response, 429, { 'retry-after': '1', 'retry-after-ms': '150' });
    return 'zero';
  },
  'bad request': (response) => {
    refuse(response, 400);
    return 'zero';
  },
  /** Half of the streams report their usage before they are cut. */
  cut: (response, wire, chance) => {
    const hasUsage = wire.pieces.length > 1 && chance.isTrue(0.5);
    begin(response, wire);
    response.write(hasUsage ? wire.pieces.slice(0, -1).join('') : halfOf(wire), () => {
      // The client has to read what was written before the connection breaks.
      setTimeout(() => response.socket?.resetAndDestroy(), 50);
    });
    return hasUsage ? 'usage' : 'unknown';
  },
  /** Falls silent in the middle until the client gives up. */
  stall: (response, wire) => {
    begin(response, wire);
    response.write(halfOf(wire));
    return 'unknown';
  },
  malformed: (response, wire) => {
    begin(response, wire);
    response.end(
      wire.pieces.length > 1 ? 'data: {"id":"c","choices":[{"index":0,"delta":{\n\n' : '{"id":"c","choices":[{',
    );
    return 'unknown';
  },
  html: (response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body><h1>It works!</h1></body></html>');
    return 'unknown';
  },
  empty: (response, wire) => {
    begin(response, wire);
    response.end();
    return 'unknown';
  },
  'content filter': (response, wire) => {
    begin(response, wire);
    response.end(wire.pieces.join('').replace(/"finish_reason":"\w+"/, '"finish_reason":"content_filter"'));
    return 'usage';
  },
} as const satisfies Record<string, Fail>;

export const faultNames = Object.keys(faults) as readonly Fault[];

export function fail(fault: Fault, response: ServerResponse, wire: Wire, chance: Chance): Reported {
  return (faults[fault] as Fail)(response, wire, chance);
}

function begin(response: ServerResponse, { type }: Wire): void {
  response.writeHead(200, { 'content-type': type });
}

function halfOf({ pieces }: Wire): string {
  const [first = ''] = pieces;
  return pieces.length > 1 ? first : first.slice(0, first.length / 2);
}

function refuse(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  const error = { message: `The stand-in answers ${status}.`, type: 'stand_in', code: String(status) };
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify({ error }));
}
