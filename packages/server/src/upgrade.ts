// A request to leave HTTP on its connection, as our own listener hands it to whoever may answer it.

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

export interface Upgrade {
  readonly incoming: IncomingMessage;
  readonly socket: Duplex;
  /** What has arrived behind the request. */
  readonly head: Buffer;
  /** From now on the connection is whose who took it; no reply is written to it. */
  take(): void;
}

const offered = Symbol('upgrade');

interface Offering extends Request {
  [offered]?: Upgrade;
}

export function offerUpgrade(request: Offering, upgrade: Upgrade): Request {
  request[offered] = upgrade;
  return request;
}

/** Nothing where the client asks for none, or somebody else listens. */
export function upgradeOf(request: Offering): Upgrade | undefined {
  return request[offered];
}
