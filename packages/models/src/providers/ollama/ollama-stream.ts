// A streamed answer of Ollama: a line of JSON for each piece, in whatever pieces the lines arrive.

import { parseJson } from '../chat/read-completion.ts';
import type { PartReader, Parts } from '../part-stream.ts';
import { OllamaReply } from './ollama-reply.ts';

export class OllamaStream implements PartReader {
  readonly #reply: OllamaReply;
  readonly #decoder = new TextDecoder();
  #rest = '';

  constructor(earlierIds: ReadonlySet<string>) {
    this.#reply = new OllamaReply(earlierIds);
  }

  get isDone(): boolean {
    return this.#reply.isDone;
  }

  take(bytes: Uint8Array, parts: Parts): number {
    const lines = this.#decoder.decode(bytes, { stream: true }).split('\n');
    lines[0] = this.#rest + lines[0];
    this.#rest = lines.pop() ?? '';
    return lines.reduce((count, line) => count + this.#takeLine(line, parts), 0);
  }

  end(parts: Parts): void {
    // The last line need not end; but what is only half a line is where it was cut.
    if (!this.isDone && isWhole(this.#rest)) this.#takeLine(this.#rest, parts);
    if (this.isDone) this.#finish(parts);
    parts.close();
  }

  #takeLine(line: string, parts: Parts): number {
    if (line.trim() === '' || this.isDone) return 0;
    const { length: before } = this.#reply.calls;
    const deltas = this.#reply.take(parseJson(line));
    for (const { type, text } of deltas) parts.enqueue({ type: `${type}-delta`, id: type, delta: text });
    if (deltas.length > 0 || this.#reply.calls.length === before) return deltas.length;
    // A call is told when all is said, and yet it is a sign of life.
    parts.enqueue({ type: 'tool-input-delta', id: 'alive', delta: '' });
    return 1;
  }

  #finish(parts: Parts): void {
    const { calls, modelId } = this.#reply;
    for (const { type } of this.#reply.content())
      if (type === 'reasoning' || type === 'text') parts.enqueue({ type: `${type}-end`, id: type });
    for (const call of calls) parts.enqueue(call);
    parts.enqueue({ type: 'response-metadata', ...(modelId === undefined ? {} : { modelId }) });
    parts.enqueue({ type: 'finish', finishReason: this.#reply.finishReason(), usage: this.#reply.usage() });
  }
}

/** What does not begin as an object was never one, and is told as what it is. */
function isWhole(rest: string): boolean {
  const text = rest.trim();
  if (text === '' || !text.startsWith('{')) return text !== '';
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
