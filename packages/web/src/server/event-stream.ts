// A stream of server-sent events over `fetch`, which can send a key: it comes back where it was cut off, until its end was told.

import { RequestFailed } from './api.ts';

export interface Frame {
  readonly type: string;
  /** The number of a fact; hints have none. */
  readonly id: number | undefined;
  readonly data: string;
}

export interface FollowOptions {
  /** Opens the stream behind the fact of this number. */
  readonly open: (after: number, signal: AbortSignal) => Promise<Response>;
  readonly signal: AbortSignal;
  /** Told when it is connected, and when it has lost the server and will try again. */
  readonly onConnection: (state: 'live' | 'lost') => void;
  /** For how long nothing at all may come, in milliseconds. @default 45,000: our server says every 15 seconds that it is there */
  readonly silenceMs?: number;
}

/** Every frame until `end`. Throws `RequestFailed` for what coming back would not mend; ends quietly when told to. */
export async function* follow(options: FollowOptions): AsyncGenerator<Frame> {
  const { signal, onConnection } = options;
  const place = { after: 0, tries: 0, isOver: false };
  while (!signal.aborted) {
    try {
      yield* once(options, place);
    } catch (error) {
      if (!signal.aborted && error instanceof RequestFailed && isFinal(error.status)) throw error;
    }
    if (signal.aborted || place.isOver) return;
    onConnection('lost');
    await pause(Math.min(500 * 2 ** place.tries++, 5_000), signal);
  }
}

/** Where it has come to. */
interface Place {
  after: number;
  tries: number;
  isOver: boolean;
}

async function* once(
  { open, signal, onConnection, silenceMs = 45_000 }: FollowOptions,
  place: Place,
): AsyncGenerator<Frame> {
  const response = await open(place.after, signal);
  onConnection('live');
  for await (const frame of framesOf(response, silenceMs)) {
    place.tries = 0;
    if (frame.id !== undefined) place.after = frame.id;
    place.isOver = frame.type === 'end';
    yield frame;
    if (place.isOver) return;
  }
}

/** Whoever is not let in, or looks for what is not there, need not come back. */
export function isFinal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

async function* framesOf({ body }: Response, silenceMs: number): AsyncGenerator<Frame> {
  if (!body) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const next = () => readInTime(reader, silenceMs);
  let rest = '';
  try {
    for (let read = await next(); !read.done; read = await next()) {
      const parts = (rest + read.value).split('\n\n');
      rest = parts.pop() ?? '';
      for (const part of parts) {
        const frame = toFrame(part);
        if (frame) yield frame;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** A network that is gone may not say so: who is silent for too long is not there any more. */
async function readInTime<T>(reader: ReadableStreamDefaultReader<T>, ms: number) {
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), ms);
  try {
    return await reader.read();
  } finally {
    clearTimeout(timer);
  }
}

function toFrame(text: string): Frame | undefined {
  let type = 'message';
  let id: number | undefined;
  let data: string | undefined;
  for (const line of text.split('\n')) {
    if (line.startsWith('event: ')) type = line.slice('event: '.length);
    else if (line.startsWith('id: ')) id = Number(line.slice('id: '.length));
    else if (line.startsWith('data: ')) data = line.slice('data: '.length);
  }
  return data === undefined ? undefined : { type, id, data };
}

/** Or until it is told to end, or the browser is online again. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      removeEventListener('online', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
    addEventListener('online', done);
  });
}
