// Messages of the protocol as lines on two streams. Whatever comes in, it goes on: what cannot be read is answered as an error.

import type { Readable, Writable } from 'node:stream';
import { Channel } from './channel.ts';
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

export class LineTransport extends Channel {
  readonly #options: LineOptions;
  readonly #lines: LongLines;
  readonly #inputOver = Promise.withResolvers<void>();
  /** Those who wait until what they said is written. */
  readonly #speaking = new Set<(error: Error) => void>();

  constructor(options: LineOptions) {
    super();
    this.#options = options;
    const { output, onProblem, maxMessageBytes } = options;
    this.#lines = new LongLines(maxMessageBytes, {
      line: (text) => this.#read(text),
      tooLong: (beginning, end) => this.#refuse(tooLong(beginning, end, maxMessageBytes)),
    });
    // Not only once it is started: nobody else listens, and who reads nothing any more must not end the process by a throw.
    output.on('error', (error) => {
      if (!this.lost.aborted) onProblem(`Nobody reads stdout any more: ${error.message}`);
      this.gone();
    });
  }

  override async start(): Promise<void> {
    const { input, output, maxWaitingBytes } = this.#options;
    const over = () => {
      this.#lines.flush();
      this.#inputOver.resolve();
    };
    input.on('data', (chunk: Buffer) => {
      if (this.lost.aborted) return;
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
    await this.answered(graceMs);
  }

  protected write(json: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#speaking.add(reject);
      this.#options.output.write(`${json}\n`, (error) => {
        this.#speaking.delete(reject);
        if (error) reject(error);
        else resolve();
      });
    });
  }

  protected end(): void {}

  protected override gone(): void {
    // It would keep the process.
    this.#options.input.destroy();
    for (const reject of this.#speaking) reject(new Error('The connection is closed.'));
    super.gone();
  }

  #read(text: string): void {
    const read = readMessage(text);
    if ('fault' in read) this.#refuse(read.fault);
    else this.receive(read.message);
  }

  #refuse({ problem, reply }: Fault): void {
    const { output, onProblem } = this.#options;
    onProblem(`MCP on stdin: ${problem}.`);
    if (reply && !this.lost.aborted) output.write(`${JSON.stringify(reply)}\n`);
  }
}
