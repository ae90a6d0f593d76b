// A transport over a WebSocket for an SDK that has none.

import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { WebSocket } from 'ws';

export class SocketTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #url: URL;
  #socket: WebSocket | undefined;

  constructor(url: URL) {
    this.#url = url;
  }

  start(): Promise<void> {
    const socket = new WebSocket(this.#url, 'mcp');
    this.#socket = socket;
    socket.on('message', (data) => this.onmessage?.(JSON.parse(String(data))));
    socket.on('close', () => this.onclose?.());
    socket.on('error', (error) => this.onerror?.(error));
    return new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket?.send(JSON.stringify(message), (error) => (error ? reject(error) : resolve()));
    });
  }

  /** At once, as a cable that is pulled. */
  async close(): Promise<void> {
    this.#socket?.terminate();
  }
}
