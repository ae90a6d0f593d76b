// A client that speaks in bytes: it says what no library would, breaks off where it likes, and reads whatever comes back.

import { connect } from 'node:net';
import type { Reply } from './judge-reply.ts';

export interface RawTalk {
  /** Sent one after the other, each as a packet of its own. */
  readonly pieces: readonly Uint8Array[];
  /** What it does then: waits for the end, says that it sends no more, or is gone without a word. @default 'wait' */
  readonly last?: 'wait' | 'fin' | 'reset' | undefined;
}

export interface RawEnd {
  readonly bytes: Buffer;
  readonly how: 'closed' | 'reset' | 'hangs';
}

/** Settles when the server has closed the connection, or after so long in which both could work. */
export function talk(port: number, { pieces, last = 'wait' }: RawTalk, patienceMs: number): Promise<RawEnd> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    const end = (how: RawEnd['how']) => {
      clearInterval(timer);
      socket.destroy();
      resolve({ bytes: Buffer.concat(chunks), how });
    };
    // A process that gets no time for a while misses ticks.
    let ticks = 0;
    const timer = setInterval(() => {
      ticks++;
      if (ticks >= patienceMs / 100) end('hangs');
    }, 100);
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('end', () => end('closed')).on('error', () => end('reset'));
    socket.on('connect', () => void send());
    const send = async () => {
      for (const piece of pieces) {
        if (socket.destroyed) return;
        socket.write(piece);
        await new Promise((sent) => setImmediate(sent));
      }
      if (last === 'fin') socket.end();
      if (last === 'reset') {
        socket.resetAndDestroy();
        end('reset');
      }
    };
  });
}

export interface RawReplies {
  readonly replies: readonly Reply[];
  /** What came behind the last whole reply. */
  readonly rest: string;
}

/** Every reply in it, as HTTP/1.1 says; interim ones are passed over. */
export function readReplies(bytes: Buffer): RawReplies {
  const replies: Reply[] = [];
  let text = bytes.toString('latin1');
  for (;;) {
    const head = /^HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n((?:[!-~]+: ?[^\r\n]*\r\n)*)\r\n/.exec(text);
    if (!head) return { replies, rest: text };
    const status = Number(head[1]);
    const behind = text.slice(head[0].length);
    if (status < 200) {
      text = behind;
      continue;
    }
    const headers = new Headers((head[2] ?? '').split('\r\n').filter(Boolean).map(toPair));
    const body = status === 204 || status === 304 ? { text: '', length: 0 } : bodyOf(headers, behind);
    if (!body) return { replies, rest: text };
    replies.push({ status, headers, body: Buffer.from(body.text, 'latin1').toString() });
    text = behind.slice(body.length);
  }
}

function toPair(line: string): [string, string] {
  const at = line.indexOf(':');
  return [line.slice(0, at), line.slice(at + 1).trim()];
}

function bodyOf(headers: Headers, text: string): { readonly text: string; readonly length: number } | undefined {
  if (headers.get('transfer-encoding') === 'chunked') return chunksOf(text);
  const length = Number(headers.get('content-length') ?? 0);
  return text.length < length ? undefined : { text: text.slice(0, length), length };
}

function chunksOf(text: string): { readonly text: string; readonly length: number } | undefined {
  let [body, at] = ['', 0];
  for (;;) {
    const size = /^([\da-f]+)\r\n/.exec(text.slice(at, at + 12));
    if (!size) return undefined;
    const length = Number.parseInt(size[1] ?? '', 16);
    at += size[0].length;
    if (text.length < at + length + 2) return undefined;
    body += text.slice(at, at + length);
    at += length + 2;
    if (length === 0) return { text: body, length: at };
  }
}
