// Writes a reply to its connection as fast as the reader takes it; one who takes nothing is cut off.

import type { ServerResponse } from 'node:http';

export interface Sending {
  /** How long a reader may take nothing of what waits for it. */
  readonly stallMs: number;
  /** Whether the connection ends with it. @default false */
  readonly isLast?: boolean;
}

/** Settles when all is handed over, or nobody is there any more. Never rejects. */
export async function sendResponse(response: Response, outgoing: ServerResponse, sending: Sending): Promise<void> {
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
    if (!outgoing.writableFinished && !outgoing.destroyed) arm(outgoing, sending.stallMs);
  } catch {
    // It broke off in the middle: the client must not take what it has for the whole.
    outgoing.destroy();
  } finally {
    outgoing.off('close', onClose);
  }
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
