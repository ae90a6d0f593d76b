// Messages of the protocol as lines on two streams. Whatever comes in, it goes on: what cannot be read is answered as an error.

import type { Readable, Writable } from 'node:stream';
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';
import { LongLines } from './long-lines.ts';
import { type Fault, readMessage, tooLong } from './read-message.ts';

export interface LineOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly maxMessageBytes: number;
  /** While more than this waits for whoever reads the output, nothing is read. */
  readonly maxWaitingBytes: number;
  /** Told what could not be read. */
  readonly onProblem: (sentence: string) => void;
}

export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #options: LineOptions;
  readonly #lines: LongLines;
  readonly #over = Promise.withResolvers<void>();
  readonly #inputOver = Promise.withResolvers<void>();
  /** Requests of theirs that have no answer yet. */
  readonly #open = new Set<RequestId>();
  /** Those who wait until what they said is written. */
  readonly #speaking = new Set<(error: Error) => void>();
  #onAnswered = () => {};
  #isClosed = false;

  constructor(options: LineOptions) {
    this.#options = options;
    const { onProblem, maxMessageBytes } = options;
    this.#lines = new LongLines(maxMessageBytes, {
      line: (text) => this.#read(text),
      tooLong: (beginning, end) => this.#refuse(tooLong(beginning, end, maxMessageBytes)),
    });
    // Not only once it is started: nobody else listens, and who reads nothing any more must not end the process by a throw.
    options.output.on('error', (error) => {
      if (!this.#isClosed) onProblem(`Nobody reads stdout any more: ${error.message}`);
      void this.close();
    });
  }

  /** Settles when it is closed, from whichever end. */
  get closed(): Promise<void> {
    return this.#over.promise;
  }

  async start(): Promise<void> {
    const { input, output, maxWaitingBytes } = this.#options;
    const over = () => {
      this.#lines.flush();
      this.#inputOver.resolve();
    };
    input.on('data', (chunk: Buffer) => {
      if (this.#isClosed) return;
      this.#lines.push(chunk);
      if (output.writableNeedDrain && output.writableLength > maxWaitingBytes) input.pause();
    });
    output.on('drain', () => input.resume());
    for (const event of ['end', 'close', 'error']) input.once(event, over);
    if (input.readableEnded || input.destroyed) setImmediate(over);
  }

  /** Settles when the input has ended and every request has its answer, or this long after it has ended. */
  async finished(graceMs: number): Promise<void> {
    await this.#inputOver.promise;
    // What was read last has yet to be taken up.
    await new Promise(setImmediate);
    if (this.#open.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, graceMs);
      this.#onAnswered = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return Promise.reject(isOver());
    return new Promise((resolve, reject) => {
      this.#speaking.add(reject);
      this.#options.output.write(`${JSON.stringify(message)}\n`, (error) => {
        this.#speaking.delete(reject);
        if (error) reject(error);
        else resolve();
        if (!('method' in message) && message.id !== undefined) this.#settle(message.id);
      });
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    // It would keep the process.
    this.#options.input.destroy();
    this.#over.resolve();
    for (const reject of this.#speaking) reject(isOver());
    this.onclose?.();
  }

  #read(text: string): void {
    const read = readMessage(text);
    if ('fault' in read) this.#refuse(read.fault);
    else this.#take(read.message);
  }

  #take(read: JSONRPCMessage): void {
    if (isJSONRPCRequest(read) && !staysOpen.has(read.method)) this.#open.add(read.id);
    if (isJSONRPCNotification(read) && read.method === 'notifications/cancelled')
      this.#settle((read.params as { requestId?: RequestId } | undefined)?.requestId);
    this.onmessage?.(read);
  }

  #refuse({ problem, reply }: Fault): void {
    const { output, onProblem } = this.#options;
    onProblem(`MCP on stdin: ${problem}.`);
    if (reply && !this.#isClosed) output.write(`${JSON.stringify(reply)}\n`);
  }

  #settle(id: RequestId | undefined): void {
    if (id === undefined || !this.#open.delete(id)) return;
    if (this.#open.size === 0) this.#onAnswered();
  }
}

function isOver(): Error {
  return new Error('The connection is closed.');
}

/** Requests whose answer is that they are over: nobody waits for it. */
const staysOpen: ReadonlySet<string> = new Set(['subscriptions/listen']);
