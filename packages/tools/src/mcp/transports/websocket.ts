// A server behind a WebSocket: one message a frame, subprotocol `mcp`.

import { AgentError } from '@ai-agent/core';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { type Dispatcher, WebSocket } from 'undici';
import { type Handshake, watchHandshake } from '../../outbound/handshake.ts';
import { readMessage } from './read-message.ts';
import { maxMessageBytes, mostUnreadBytes } from './stdio.ts';

export interface WebSocketOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly dispatcher: Dispatcher;
}

const closeMs = 1_000;

/** One channel for everything, as the streams of a process are: `stderr` and `pid` tell the SDK so. */
export class WebSocketTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];
  readonly stderr = null;
  readonly pid = null;
  readonly #options: WebSocketOptions;
  #handshake: Handshake | undefined;
  #socket: WebSocket | undefined;
  #closing: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: WebSocketOptions) {
    this.#options = options;
  }

  start(): Promise<void> {
    const { url, headers, dispatcher } = this.#options;
    const handshake = watchHandshake(dispatcher);
    const socket = new WebSocket(url, {
      protocols: ['mcp'],
      headers: { ...headers },
      dispatcher: handshake.dispatcher,
    });
    this.#handshake = handshake;
    this.#socket = socket;
    return new Promise((resolve, reject) => {
      socket.addEventListener('open', () => resolve());
      socket.addEventListener('message', ({ data }) => this.#read(data));
      socket.addEventListener('error', (event) => {
        const error = failed(handshake.failure ?? event.error ?? event.message);
        reject(error);
        this.onerror?.(error);
      });
      socket.addEventListener('close', ({ code, reason }) => {
        reject(failed(reason === '' ? `it closed with ${code}` : reason));
        this.#finish();
      });
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#socket?.readyState !== WebSocket.OPEN) return Promise.reject(failed('it is closed'));
    if (this.#socket.bufferedAmount > mostUnreadBytes)
      return Promise.reject(this.#end('it does not read what it is sent'));
    this.#socket.send(JSON.stringify(message));
    return Promise.resolve();
  }

  async close(): Promise<void> {
    if (!this.#socket) return;
    this.#closing ??= this.#leave(this.#socket);
    await this.#closing;
  }

  /** A server that does not say goodbye, too, is hung up on. */
  async #leave(socket: WebSocket): Promise<void> {
    if (socket.readyState < WebSocket.CLOSING) socket.close();
    if (socket.readyState !== WebSocket.CLOSED)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, closeMs);
        socket.addEventListener('close', () => {
          clearTimeout(timer);
          resolve();
        });
      });
    this.#handshake?.destroy();
    this.#finish();
  }

  #read(data: unknown): void {
    if (this.#isClosed) return;
    if (typeof data !== 'string') this.#end('it sent what is no text');
    else if (data.length > maxMessageBytes) this.#end('it sent a message that is too long');
    else readMessage(data, this);
  }

  #end(why: string): Error {
    const error = failed(why);
    this.onerror?.(error);
    void this.close();
    this.#finish();
    return error;
  }

  #finish(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }
}

/** What others threw tells more than words of ours. */
function failed(why: unknown): Error {
  if (why instanceof Error) return why;
  return new AgentError('tool-failed', `The WebSocket failed: ${String(why)}.`, { class: 'network', retryable: true });
}
