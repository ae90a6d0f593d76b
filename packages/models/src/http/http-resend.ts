// A request that may have to be sent once more, because it went out on a kept connection that may have been given up.

import type { Socket } from 'node:net';
import { msSince } from './elapsed.ts';
import type { OutgoingRequest } from './http-outgoing.ts';

/**
 * A server that closes a kept connection has not seen what we put on it that moment. Whatever dies later may have been
 * worked on, and paid for.
 */
const staleWithinMs = 250;

export class Resend {
  readonly #outgoing: OutgoingRequest;
  readonly #socket: Socket;
  readonly #bytesBefore: number;
  readonly #sentAt = process.hrtime();
  readonly #onTooLate: () => void;

  /** `onTooLate` is told when it is too late to send it again, unless cancelled: time to forget it. */
  constructor(outgoing: OutgoingRequest, socket: Socket, onTooLate: () => void) {
    this.#outgoing = outgoing;
    this.#socket = socket;
    this.#bytesBefore = socket.bytesRead;
    this.#onTooLate = onTooLate;
    // Its pool gives the socket another timeout as soon as it is unused.
    socket.setTimeout(staleWithinMs, onTooLate);
  }

  /** The request, if the server has not seen it: its connection died at once, without a byte of an answer. */
  get unseen(): OutgoingRequest | undefined {
    const isUntouched = this.#socket.bytesRead === this.#bytesBefore;
    return isUntouched && msSince(this.#sentAt) < staleWithinMs ? this.#outgoing : undefined;
  }

  cancel(): void {
    this.#socket.off('timeout', this.#onTooLate);
  }
}
