// The protocol over a WebSocket: one message a text frame. Who takes nothing, or answers no ping, is cut off.

import type { RawData, WebSocket } from 'ws';
import { Channel } from './channel.ts';
import { readMessage } from './read-message.ts';

export interface WsOptions {
  /** How often the other end must show that it is there: half of a connection ends after twice this time. */
  readonly pingMs: number;
  /** Whoever has more than this waiting when something new comes is cut off. */
  readonly maxWaitingBytes: number;
}

/** For the last frames to arrive, and to be told so. */
export const lingerMs = 1_000;

/** As the registry of close codes has them. */
const goingAway = 1_001;
const unsupportedData = 1_003;

export class WsTransport extends Channel {
  readonly #socket: WebSocket;
  readonly #maxWaitingBytes: number;
  readonly #timer: NodeJS.Timeout;
  #isThere = true;
  /** Frames that the system has taken, ever and at the last ping. */
  #taken = 0;
  #takenBefore = 0;

  constructor(socket: WebSocket, { pingMs, maxWaitingBytes }: WsOptions) {
    super();
    this.#socket = socket;
    this.#maxWaitingBytes = maxWaitingBytes;
    this.#timer = setInterval(() => this.#ping(), pingMs).unref();
    socket.on('message', (data, isBinary) => this.#hear(data, isBinary));
    socket.on('ping', (data) => this.#say(() => socket.pong(data)));
    socket.on('pong', () => {
      this.#isThere = true;
    });
    // It is closed with the code that fits; nothing of it is ours to repair.
    socket.on('error', (error) => this.onerror?.(error));
    socket.on('close', () => this.gone());
  }

  protected write(json: string): void {
    this.#say(() =>
      this.#socket.send(json, () => {
        this.#taken++;
      }),
    );
  }

  protected end(): void {
    this.#socket.close(goingAway, 'The server ends this connection.');
  }

  protected override gone(): void {
    clearInterval(this.#timer);
    super.gone();
  }

  #say(send: () => void): void {
    if (this.#socket.bufferedAmount > this.#maxWaitingBytes) this.#cut();
    else if (this.#socket.readyState === this.#socket.OPEN) send();
  }

  #hear(data: RawData, isBinary: boolean): void {
    if (isBinary) {
      this.#socket.close(unsupportedData, 'Messages are text.');
      this.gone();
      return;
    }
    const read = readMessage(data.toString());
    if ('message' in read) this.receive(read.message);
    else if (read.fault.reply) this.write(JSON.stringify(read.fault.reply));
  }

  #ping(): void {
    if (!this.#isThere) {
      // A process that had no time has its pong already, unread.
      setImmediate(() => this.#judge());
      return;
    }
    this.#isThere = false;
    this.#takenBefore = this.#taken;
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping();
  }

  /** One who reads slowly hears of the ping late: as long as something of what waits is taken, somebody is there. */
  #judge(): void {
    const isReading = this.#socket.bufferedAmount > 0 && this.#taken > this.#takenBefore;
    this.#takenBefore = this.#taken;
    if (!this.#isThere && !isReading) this.#cut();
  }

  #cut(): void {
    this.#socket.terminate();
    this.gone();
  }
}
