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

/** What is fetched ahead of a reader. */
const roomBytes = 64 * 1024;

/** Written to at once, read as fast as the reader likes. */
export class SseStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly #encoder = new TextEncoder();
  readonly #maxBytes: number;
  readonly #onGone: () => void;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #isOver = false;
  #isLast = false;

  constructor({ maxBytes = 4 * 1024 * 1024, onGone }: SseOptions) {
    this.#maxBytes = maxBytes;
    this.#onGone = onGone;
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        cancel: () => this.#leave(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: roomBytes }),
    );
  }

  send(event: SseEvent): void {
    this.#write(toSse(event));
  }

  /** The data is JSON already, in one line. */
  sendJson(event: string, json: string): void {
    this.#write(`event: ${event}\ndata: ${json}\n\n`);
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
    if (this.#isOver) return;
    this.#isOver = true;
    this.#controller?.close();
  }

  #write(text: string): void {
    if (this.#isOver || !this.#controller) return;
    const waiting = roomBytes - (this.#controller.desiredSize ?? 0);
    // However long one of them is, it can be read.
    if (waiting <= this.#maxBytes || this.#isLast) {
      this.#controller.enqueue(this.#encoder.encode(text));
      return;
    }
    this.#controller.error(new Error('The reader is too slow.'));
    this.#leave();
  }

  #leave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onGone();
  }
}
