// An answer as provider packages read it: the part of fetch's Response that is used, without its cost.

import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { AgentError } from '@ai-agent/core';
import type { Exchange } from './http-exchange.ts';
import { TransportHeaders } from './http-headers.ts';
import { replyIsComplete } from './transport.ts';

export interface ResponseContext {
  readonly exchange: Exchange;
  readonly url: string;
  /** How long the body may be, decoded. */
  readonly maxBytes: number;
}

export class TransportResponse implements Response {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly url: string;
  readonly redirected = false;
  readonly type = 'basic';
  readonly #reader: BodyReader;
  #body: ReadableStream<Uint8Array> | undefined;

  constructor(message: IncomingMessage, context: ResponseContext) {
    this.status = message.statusCode ?? 0;
    this.statusText = message.statusMessage ?? '';
    this.headers = new TransportHeaders(message.headers);
    this.url = context.url;
    this.#reader = new BodyReader(message, context);
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  get body(): ReadableStream<Uint8Array> {
    this.#body ??= this.#reader.toStream();
    return this.#body;
  }

  get bodyUsed(): boolean {
    return this.#reader.isUsed;
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    if (this.bodyUsed) throw new AgentError('internal', 'The body of this answer was read already.');
    const chunks: Uint8Array[] = [];
    for (let chunk = await this.#reader.read(); chunk; chunk = await this.#reader.read()) chunks.push(chunk);
    return new Uint8Array(Buffer.concat(chunks));
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes());
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this.bytes()).buffer;
  }

  async blob(): Promise<Blob> {
    return new Blob([await this.bytes()], { type: this.headers.get('content-type') ?? '' });
  }

  formData(): Promise<FormData> {
    throw new AgentError('internal', 'The HTTP transport does not read form data.');
  }

  clone(): Response {
    throw new AgentError('internal', 'An answer of the HTTP transport is read once: it has no copies.');
  }
}

/** Pulls the body chunk by chunk: what nobody reads stays with the server. */
class BodyReader {
  readonly #exchange: Exchange;
  readonly #maxBytes: number;
  readonly #message: IncomingMessage;
  readonly #source: Readable;
  #received = 0;
  #wake: (() => void) | undefined;
  #isEnded = false;
  isUsed = false;

  constructor(message: IncomingMessage, { exchange, maxBytes }: ResponseContext) {
    this.#exchange = exchange;
    this.#maxBytes = maxBytes;
    this.#message = message;
    exchange.onFail = () => this.#wake?.();
    // Who wants the body usually reads it at once.
    process.nextTick(() => {
      if (!this.isUsed) exchange.rest();
    });
    this.#source = this.#decoded(message);
    this.#source.on('readable', () => this.#wake?.());
    this.#source.on('end', this.#onEnd);
  }

  /** The next piece; undefined at the end. Throws when the body was cut. */
  async read(): Promise<Uint8Array | undefined> {
    if (!this.isUsed) this.#exchange.attend();
    this.isUsed = true;
    for (;;) {
      if (this.#exchange.failure !== undefined) throw this.#exchange.failure;
      const chunk: Uint8Array | null = this.#source.read();
      if (chunk) return this.#counted(chunk);
      if (this.#isEnded) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }

  toStream(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const chunk = await this.read();
          if (chunk) controller.enqueue(chunk);
          else controller.close();
        },
        cancel: (reason) => this.#cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }

  async #cancel(reason: unknown): Promise<void> {
    if (reason !== replyIsComplete)
      return this.#exchange.fail(new AgentError('model-network', 'The reader of the reply left.'));
    if (!this.#message.complete) {
      const left = this.#exchange.leave(this.#source);
      this.#source.removeAllListeners('readable').resume();
      return left;
    }
    // The usual case: the end is here already, and only has to be read.
    while (await this.read());
  }

  #counted(chunk: Uint8Array): Uint8Array {
    this.#received += chunk.length;
    if (this.#received <= this.#maxBytes) return chunk;
    const tooLong = `The reply is longer than ${this.#maxBytes} bytes.`;
    this.#exchange.fail(new AgentError('model-reply-invalid', tooLong, { retryable: false }));
    throw this.#exchange.failure;
  }

  readonly #onEnd = (): void => {
    this.#isEnded = true;
    this.#exchange.complete();
    this.#wake?.();
  };

  /** We ask for no encoding; a server that encodes nevertheless is understood. */
  #decoded(message: IncomingMessage): Readable {
    const encoding = (message.headers['content-encoding'] ?? '').trim().toLowerCase();
    if (encoding === '' || encoding === 'identity') return message;
    const decoder = createDecoder(encoding);
    if (!decoder) {
      const unknown = `The reply is encoded as ${encoding}, which is not read.`;
      this.#exchange.fail(new AgentError('model-reply-invalid', unknown));
      return message;
    }
    let isEmpty = true;
    message.once('data', () => {
      isEmpty = false;
    });
    decoder.on('error', (error) => {
      // Nothing at all is a body too, and only decoders say it is cut.
      if (message.complete && isEmpty) this.#onEnd();
      else this.#exchange.failReading(error);
    });
    return message.pipe(decoder);
  }
}

function createDecoder(encoding: string) {
  // Loaded when the first encoded reply comes, which is seldom.
  const { createBrotliDecompress, createGunzip, createInflate } = process.getBuiltinModule('node:zlib');
  const decoders = { gzip: createGunzip, 'x-gzip': createGunzip, br: createBrotliDecompress, deflate: createInflate };
  return Object.hasOwn(decoders, encoding) ? decoders[encoding as keyof typeof decoders]() : undefined;
}
