// Writes a reply to its connection as fast as the reader takes it; one who takes nothing is cut off.

import type { ServerResponse } from 'node:http';
import { partsOf, type ReplyParts } from './direct-reply.ts';
import type { SseStream } from './sse.ts';

export interface Sending {
  /** How long a reader may take nothing of what waits for it. */
  readonly stallMs: number;
  /** Whether the connection ends with it. @default false */
  readonly isLast?: boolean;
}

/** Settles when all is handed over, or nobody is there any more. Never rejects. */
export async function sendResponse(response: Response, outgoing: ServerResponse, sending: Sending): Promise<void> {
  const parts = partsOf(response);
  if (parts) return sendParts(parts, outgoing, sending);
  const { body } = response;
  if (outgoing.destroyed) {
    await body?.cancel().catch(() => {});
    return;
  }
  const headers = toHeaders(response.headers, sending.isLast);
  if (body === null) {
    outgoing.writeHead(response.status, headers).end();
    return;
  }
  const reader = body.getReader();
  const onClose = () => void reader.cancel().catch(() => {});
  outgoing.once('close', onClose);
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  const head = { status: response.status, headers };
  try {
    await (isStream ? sendStream : sendWhole)({ reader, outgoing, head, ...sending });
    armLast(outgoing, sending.stallMs);
  } catch {
    // It broke off in the middle: the client must not take what it has for the whole.
    outgoing.destroy();
  } finally {
    outgoing.off('close', onClose);
  }
}

/** Without a stream between. */
async function sendParts({ body, head }: ReplyParts, outgoing: ServerResponse, sending: Sending): Promise<void> {
  if (outgoing.destroyed) {
    if (typeof body !== 'string') body.leave();
    return;
  }
  const headers: OutgoingHeaders = sending.isLast ? { ...head.headers, connection: 'close' } : { ...head.headers };
  if (typeof body === 'string') headers['content-length'] = Buffer.byteLength(body);
  outgoing.writeHead(head.status ?? 200, headers);
  if (typeof body !== 'string') return sendEvents(body, outgoing, sending.stallMs);
  outgoing.end(body);
  armLast(outgoing, sending.stallMs);
}

function sendEvents(stream: SseStream, outgoing: ServerResponse, stallMs: number): Promise<void> {
  return new Promise((resolve) => {
    outgoing.once('close', () => {
      stream.leave();
      resolve();
    });
    outgoing.flushHeaders();
    stream.pipe({
      write(text) {
        if (outgoing.destroyed) return false;
        if (outgoing.write(text)) return true;
        void drained(outgoing, stallMs).then(() => stream.flush());
        return false;
      },
      end() {
        outgoing.end();
        armLast(outgoing, stallMs);
        resolve();
      },
      cut: () => void outgoing.destroy(),
    });
  });
}

function toHeaders(headers: Headers, isLast = false): OutgoingHeaders {
  const all: OutgoingHeaders = Object.fromEntries(headers);
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) all['set-cookie'] = cookies;
  if (isLast) all.connection = 'close';
  return all;
}

type OutgoingHeaders = Record<string, string | string[] | number>;

interface Passing extends Sending {
  readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly outgoing: ServerResponse;
  readonly head: { readonly status: number; readonly headers: OutgoingHeaders };
}

/** Headers at once: whoever waits for the first piece knows by them that it will come. */
async function sendStream({ outgoing, head, reader, stallMs }: Passing): Promise<void> {
  outgoing.writeHead(head.status, head.headers).flushHeaders();
  await pass(reader, outgoing, stallMs);
  outgoing.end();
}

/** One piece is almost always all of it, and goes out with its length in one write. */
async function sendWhole({ outgoing, head, reader, stallMs }: Passing): Promise<void> {
  const first = await reader.read();
  const piece = first.value ?? new Uint8Array();
  const second = first.done ? first : await reader.read();
  if (outgoing.destroyed) return;
  if (second.done) {
    outgoing.writeHead(head.status, { ...head.headers, 'content-length': piece.byteLength }).end(piece);
    return;
  }
  outgoing.writeHead(head.status, head.headers);
  outgoing.write(piece);
  if (!outgoing.write(second.value)) await drained(outgoing, stallMs);
  await pass(reader, outgoing, stallMs);
  outgoing.end();
}

async function pass(reader: Passing['reader'], outgoing: ServerResponse, stallMs: number): Promise<void> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done || outgoing.destroyed) return;
    if (!outgoing.write(value)) await drained(outgoing, stallMs);
  }
}

/** What the system has not taken yet waits for the reader. */
function armLast(outgoing: ServerResponse, stallMs: number): void {
  if (outgoing.writableLength > 0 && !outgoing.destroyed) arm(outgoing, stallMs);
}

function drained(outgoing: ServerResponse, stallMs: number): Promise<void> {
  return new Promise((resolve) => {
    const disarm = arm(outgoing, stallMs);
    const done = () => {
      outgoing.off('drain', done).off('close', done);
      disarm();
      resolve();
    };
    outgoing.on('drain', done).on('close', done);
  });
}

/**
 * Node's own clock of a socket: it starts anew with every byte that is taken, and Node cuts what is late. When all is
 * written, Node sets it anew.
 */
function arm(outgoing: ServerResponse, stallMs: number): () => void {
  // One that answers a request behind another has its turn later.
  const set = () => void outgoing.socket?.setTimeout(stallMs);
  if (outgoing.socket) set();
  else outgoing.once('socket', set);
  return () => {
    outgoing.off('socket', set);
    outgoing.socket?.setTimeout(0);
  };
}
