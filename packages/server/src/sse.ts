// Server-sent events: how one is written, and a stream of them that a slow reader cannot fill.

export interface SseEvent {
  readonly event: string;
  /** Written as JSON. */
  readonly data: unknown;
  /** What a client that comes back says it has seen. */
  readonly id?: number | undefined;
}

export function toSse({ event, data, id }: SseEvent): string {
  const numbered = id === undefined ? '' : `id: ${id}\n`;
  // JSON has no line breaks of its own.
  return `${numbered}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

export const sseHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  // Proxies that gather what they pass on would hold it back.
  'x-accel-buffering': 'no',
} as const;

export interface SseOptions {
  /** Whoever has more than this waiting when something new comes is cut off. @default 4 MB */
  readonly maxBytes?: number;
  /** Called when the reader has gone, or was cut off. */
  readonly onGone: () => void;
}

/** Whoever takes what is written. */
export interface SseSink {
  /** Says whether there is room for more; when there is again, it calls `flush`. */
  write(text: string): boolean;
  end(): void;
  /** It was too slow: what it has is not the whole. */
  cut(): void;
}

/** What waits is kept in pieces of about this length. */
const pieceLength = 16 * 1024;

/** Written to at once, read as fast as the reader likes: through a sink, or as a body of the web. */
export class SseStream {
  readonly #maxBytes: number;
  readonly #onGone: () => void;
  #sink: SseSink | undefined;
  #body: ReadableStream<Uint8Array> | undefined;
  #hasRoom = false;
  #waiting: string[] = [];
  #waitingBytes = 0;
  #isLast = false;
  #isEnded = false;
  /** Whether nothing is written any more: the reader has everything, or is not there. */
  #isGone = false;

  constructor({ maxBytes = 4 * 1024 * 1024, onGone }: SseOptions) {
    this.#maxBytes = maxBytes;
    this.#onGone = onGone;
  }

  get body(): ReadableStream<Uint8Array> {
    this.#body ??= toBody(this);
    return this.#body;
  }

  send(event: SseEvent): void {
    this.#write(toSse(event));
  }

  /** The data is JSON already, in one line. */
  sendJson(event: string, json: string): void {
    this.#write(`event: ${event}\ndata: ${json}\n\n`);
  }

  /** Without a name, as some APIs have them. */
  sendData(data: string): void {
    this.#write(`data: ${data}\n\n`);
  }

  /** A line that clients pass over: it only says that somebody is there. */
  comment(text: string): void {
    this.#write(`: ${text}\n\n`);
  }

  /** What comes from now on is all that will come: it is there already, and told to the slowest reader too. */
  tellLast(): void {
    this.#isLast = true;
  }

  end(): void {
    this.#isEnded = true;
    this.#finish();
  }

  /** There is one reader; what was written before waits for it. */
  pipe(sink: SseSink): void {
    this.#sink = sink;
    if (this.#isGone) sink.cut();
    else this.flush();
  }

  /** The reader has room. */
  flush(): void {
    if (this.#isGone || !this.#sink) return;
    this.#hasRoom = true;
    // A sink may ask for more while it is given some.
    while (this.#hasRoom && this.#waiting.length > 0) {
      const piece = this.#waiting.shift() ?? '';
      this.#waitingBytes -= Buffer.byteLength(piece);
      this.#hasRoom = this.#sink.write(piece);
    }
    this.#finish();
  }

  /** The reader has gone. */
  leave(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#waiting = [];
    if (!this.#isEnded) this.#onGone();
  }

  #write(text: string): void {
    if (this.#isEnded || this.#isGone) return;
    if (this.#sink && this.#hasRoom) {
      this.#hasRoom = this.#sink.write(text);
      return;
    }
    // However long one of them is, it can be read.
    if (this.#waitingBytes > this.#maxBytes && !this.#isLast) {
      this.leave();
      this.#sink?.cut();
      return;
    }
    const last = this.#waiting.length - 1;
    if ((this.#waiting[last]?.length ?? pieceLength) < pieceLength) this.#waiting[last] += text;
    else this.#waiting.push(text);
    this.#waitingBytes += Buffer.byteLength(text);
  }

  #finish(): void {
    if (!this.#isEnded || this.#isGone || this.#waiting.length > 0 || !this.#sink) return;
    this.#isGone = true;
    this.#sink.end();
  }
}

function toBody(stream: SseStream): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) =>
        stream.pipe({
          write(text) {
            controller.enqueue(encoder.encode(text));
            return (controller.desiredSize ?? 0) > 0;
          },
          end: () => controller.close(),
          cut: () => controller.error(new Error('The reader is too slow.')),
        }),
      pull: () => stream.flush(),
      cancel: () => stream.leave(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 64 * 1024 }),
  );
}
