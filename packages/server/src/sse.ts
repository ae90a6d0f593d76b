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
  /** What may wait for a reader; whoever falls further behind is cut off. @default 4 MB */
  readonly maxBytes?: number;
  /** Called when the reader has gone, or was cut off. */
  readonly onGone: () => void;
}

/** Written to at once, read as fast as the reader likes. */
export class SseStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly #encoder = new TextEncoder();
  readonly #maxBytes: number;
  readonly #onGone: () => void;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #isOver = false;

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
      new ByteLengthQueuingStrategy({ highWaterMark: 64 * 1024 }),
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

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#controller?.close();
  }

  #write(text: string): void {
    if (this.#isOver || !this.#controller) return;
    this.#controller.enqueue(this.#encoder.encode(text));
    const waiting = 64 * 1024 - (this.#controller.desiredSize ?? 0);
    if (waiting <= this.#maxBytes) return;
    this.#controller.error(new Error('The reader is too slow.'));
    this.#leave();
  }

  #leave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onGone();
  }
}
