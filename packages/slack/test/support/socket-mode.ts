// Socket Mode of the stand-in: envelopes go out, acknowledgements come back, and what nobody took waits for the next connection.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Thing, thingOf } from './values.ts';

export type EnvelopeType = 'events_api' | 'interactive' | 'slash_commands';

export interface Envelope {
  readonly type: EnvelopeType;
  readonly payload: Thing;
  /** @default 0 */
  readonly retry?: number | undefined;
  /** Which connection it goes to, in the order they were opened. @default each in turn */
  readonly to?: number | undefined;
}

export interface Ack {
  readonly ackMs: number;
  /** Undefined when it was empty. */
  readonly ackPayload: Thing | undefined;
}

interface Sent {
  readonly envelope: Envelope;
  readonly socket: WebSocket;
  readonly at: number;
  readonly timer: NodeJS.Timeout;
  readonly done: (ack: Ack) => void;
  readonly failed: (error: Error) => void;
}

const ACK_WITHIN_MS = 3000;
const PING_EVERY_MS = 5000;
const GOODBYE_MS = 300;

export class SocketMode {
  readonly #server = new WebSocketServer({ noServer: true });
  readonly #sent = new Map<string, Sent>();
  readonly #fault: (sentence: string) => void;
  #waiting: { envelope: Envelope; done: (ack: Ack) => void; failed: (error: Error) => void }[] = [];
  #turn = 0;

  constructor(fault: (sentence: string) => void) {
    this.#fault = fault;
  }

  get open(): WebSocket[] {
    return [...this.#server.clients].filter(({ readyState }) => readyState === 1);
  }

  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#server.handleUpgrade(request, socket, head, (opened) => this.#begin(opened));
  }

  /** Resolves when it is acknowledged. An event waits for a connection; whoever presses without one is told so. */
  send(envelope: Envelope): Promise<Ack> {
    return new Promise((done, failed) => {
      if (this.open.length === 0 && envelope.type !== 'events_api')
        return failed(new Error(`Nobody is connected to take ${envelope.type}.`));
      this.#waiting.push({ envelope, done, failed });
      this.#flush();
    });
  }

  async drop(how: 'refresh' | 'abrupt'): Promise<void> {
    const gone = this.open.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    for (const socket of this.open) {
      if (how === 'abrupt') socket.terminate();
      else socket.send(JSON.stringify({ type: 'disconnect', reason: 'refresh_requested', debug_info: {} }));
    }
    await Promise.all(gone);
  }

  /** Hangs up politely: an app that is stopping may still be saying goodbye. */
  async close(): Promise<void> {
    for (const { timer } of this.#sent.values()) clearTimeout(timer);
    this.#sent.clear();
    const gone = [...this.#server.clients].map((socket) => {
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.close(1001);
      return Promise.race([closed, setTimeout(GOODBYE_MS, undefined, { ref: false })]);
    });
    await Promise.all(gone);
    for (const socket of this.#server.clients) socket.terminate();
    this.#server.close();
  }

  #begin(socket: WebSocket): void {
    const ping = setInterval(() => socket.ping(`Ping from slack`), PING_EVERY_MS);
    ping.unref();
    socket.on('message', (data) => this.#hear(JSON.parse(String(data))));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(ping);
      this.#takeBack(socket);
    });
    const hello = {
      type: 'hello',
      num_connections: this.open.length,
      connection_info: { app_id: 'A0EXAMPLE' },
      debug_info: {},
    };
    socket.send(JSON.stringify(hello));
    socket.ping('Ping from slack');
    this.#flush();
  }

  #flush(): void {
    const sockets = this.open;
    if (sockets.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { envelope, done, failed } of waiting) {
      this.#turn += 1;
      const socket = sockets[envelope.to ?? this.#turn % sockets.length];
      if (socket === undefined) continue;
      const id = randomUUID();
      const timer = globalThis.setTimeout(() => void this.#giveUp(id), ACK_WITHIN_MS);
      timer.unref();
      this.#sent.set(id, { envelope, socket, at: Date.now(), timer, done, failed });
      const isEvent = envelope.type === 'events_api';
      const retry = envelope.retry ?? 0;
      const told = isEvent ? { retry_attempt: retry, retry_reason: retry > 0 ? 'timeout' : '' } : {};
      socket.send(
        JSON.stringify({
          envelope_id: id,
          type: envelope.type,
          accepts_response_payload: !isEvent,
          payload: envelope.payload,
          ...told,
        }),
      );
    }
  }

  #hear(message: unknown): void {
    const { envelope_id, payload } = thingOf(message);
    const sent = this.#sent.get(String(envelope_id));
    if (sent === undefined) return;
    this.#sent.delete(String(envelope_id));
    clearTimeout(sent.timer);
    const answered = thingOf(payload);
    const isEmpty = Object.keys(answered).length === 0;
    sent.done({ ackMs: Date.now() - sent.at, ackPayload: isEmpty ? undefined : answered });
  }

  /** Whoever hung up in the middle is told again: a retry, as Slack does with events. */
  #takeBack(socket: WebSocket): void {
    for (const [id, { envelope, timer, done, failed, ...sent }] of this.#sent) {
      if (sent.socket !== socket) continue;
      this.#sent.delete(id);
      clearTimeout(timer);
      if (envelope.type !== 'events_api')
        failed(new Error(`The connection ended before ${envelope.type} was acknowledged.`));
      else this.#waiting.push({ envelope: { ...envelope, retry: (envelope.retry ?? 0) + 1 }, done, failed });
    }
    this.#flush();
  }

  /** The app is in this process: what it had no turn to send or we to read, because others were at work here, is not late. */
  async #giveUp(id: string): Promise<void> {
    for (let turns = 0; turns < 50 && this.#sent.has(id); turns++) await setImmediate();
    const sent = this.#sent.get(id);
    if (sent === undefined) return;
    const what = `${sent.envelope.type} ${String(sent.envelope.payload.event_id ?? sent.envelope.payload.type ?? '')}`;
    this.#fault(`${what} was not acknowledged within ${ACK_WITHIN_MS} ms.`);
    this.#sent.delete(id);
    sent.failed(new Error(`${what} was not acknowledged within ${ACK_WITHIN_MS} ms.`));
  }
}
