// An answer as provider packages read it: the part of fetch's Response that is used, without its cost.

import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { AgentError } from '@ai-agent/core';
import type { Exchange } from './http-exchange.ts';
import { TransportHeaders } from './http-headers.ts';

export class TransportResponse implements Response {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly url: string;
  readonly redirected = false;
  readonly type = 'basic';
  readonly #reader: BodyReader;
  #body: ReadableStream<Uint8Array> | undefined;

  constructor(message: IncomingMessage, exchange: Exchange, url: string) {
    this.status = message.statusCode ?? 0;
    this.statusText = message.statusMessage ?? '';
    this.headers = new TransportHeaders(message.headers);
    this.url = url;
    this.#reader = new BodyReader(message, exchange);
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
  readonly #source: Readable;
  #wake: (() => void) | undefined;
  #isEnded = false;
  isUsed = false;

  constructor(message: IncomingMessage, exchange: Exchange) {
    this.#exchange = exchange;
    exchange.onFail = () => this.#wake?.();
    this.#source = decoded(message, exchange);
    this.#source.on('readable', () => this.#wake?.());
    this.#source.on('end', () => {
      this.#isEnded = true;
      exchange.complete();
      this.#wake?.();
    });
    this.#source.on('close', () => {
      if (!this.#isEnded) exchange.failReading(undefined);
    });
  }

  /** The next piece; undefined at the end. Throws when the body was cut. */
  async read(): Promise<Uint8Array | undefined> {
    this.isUsed = true;
    for (;;) {
      if (this.#exchange.failure !== undefined) throw this.#exchange.failure;
      const chunk: Uint8Array | null = this.#source.read();
      if (chunk) return chunk;
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
        cancel: () => this.#exchange.fail(new AgentError('model-network', 'The reader of the reply left.')),
      },
      { highWaterMark: 0 },
    );
  }
}

/** We ask for no encoding; a server that encodes nevertheless is understood. */
function decoded(message: IncomingMessage, exchange: Exchange): Readable {
  const encoding = message.headers['content-encoding'] ?? 'identity';
  if (encoding === 'identity' || encoding === '') return message;
  const decoders = { gzip: createGunzip, 'x-gzip': createGunzip, br: createBrotliDecompress, deflate: createInflate };
  const create = Object.hasOwn(decoders, encoding) ? decoders[encoding as keyof typeof decoders] : undefined;
  if (!create) {
    exchange.fail(new AgentError('model-reply-invalid', `The reply is encoded as ${encoding}, which is not read.`));
    return message;
  }
  const decoder = create();
  decoder.on('error', (error) => exchange.failReading(error));
  return message.pipe(decoder);
}
