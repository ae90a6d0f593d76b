// A client of bytes: sends exactly what it is told, and keeps what comes back.

import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface RawClient {
  readonly socket: Socket;
  send(text: string): void;
  /** Everything so far. */
  received(): string;
  /** When the server has closed its side, with everything it said. */
  readonly closed: Promise<string>;
}

export interface RawOptions {
  /** Whether our side stays open when the server has closed its. @default false */
  readonly allowHalfOpen?: boolean;
  /** Reads nothing until it is told to. @default false */
  readonly isDeaf?: boolean;
}

export async function rawClient(port: number, options: RawOptions = {}): Promise<RawClient> {
  const { allowHalfOpen = false, isDeaf = false } = options;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen });
  onTestFinished(() => void socket.destroy());
  let text = '';
  const closed = new Promise<string>((resolve) => {
    socket.on('error', () => {});
    socket.on('end', () => resolve(text));
    socket.on('close', () => resolve(text));
  });
  if (!isDeaf)
    socket.setEncoding('latin1').on('data', (piece) => {
      text += piece;
    });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve).once('error', reject);
  });
  return { socket, send: (piece) => void socket.write(piece), received: () => text, closed };
}

/** The status and the error of a whole reply. */
export function readError(reply: string): { readonly status: number; readonly code: string } {
  const [head = '', body = ''] = reply.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), code: JSON.parse(body).error.code };
}
