// An answer that comes as lines of JSON: its last event, or the pieces of text that came before.

import {
  AgentError,
  type Clock,
  isObject,
  type Json,
  oneLine,
  type ToolContext,
  type ToolOutput,
} from '@ai-agent/core';
import { withExactNumbers } from './exact-numbers.ts';
import { maxBodyBytes } from './http-answer.ts';
import { brokenExchange, type FailureSetting } from './http-failure.ts';
import { decoderOf } from './read-body.ts';
import type { Streaming } from './read-rest-config.ts';

export interface StreamSetting {
  readonly streaming: Streaming;
  readonly clock: Clock;
  readonly failure: FailureSetting;
}

/** What was said before a stream broke off is kept in the failure. */
export async function readJsonStream(
  response: Response,
  setting: StreamSetting,
  context: ToolContext,
): Promise<ToolOutput> {
  const reader = response.body?.getReader();
  if (!reader) return 'The server answered without content.';
  const events = new Events(setting.streaming);
  const decoder = decoderOf(response.headers.get('content-type') ?? '');
  let bytes = 0;
  try {
    while (bytes < setting.streaming.maxBytes) {
      const { done, value } = await readInTime(reader, setting);
      if (done) {
        events.take(`${decoder.decode()}\n`);
        return events.isDone ? events.answer() : events.rest('The stream ended without its last event.');
      }
      bytes += value.byteLength;
      events.take(decoder.decode(value, { stream: true }));
      if (events.isDone) return events.answer();
      if (events.latest !== '') context.progress(oneLine(events.latest));
    }
    return events.rest(`Reading stopped after ${setting.streaming.maxBytes} bytes.`);
  } catch (error) {
    context.signal.throwIfAborted();
    return brokenExchange(error, setting.failure, events.tokens);
  } finally {
    reader.cancel().catch(() => {});
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

async function readInTime(reader: Reader, { streaming: { timeoutMs }, clock, failure }: StreamSetting) {
  if (timeoutMs === undefined) return await reader.read();
  let callOff = () => {};
  const silence = new Promise<never>((_, reject) => {
    callOff = clock.after(timeoutMs, () => reject(silent(timeoutMs, failure)));
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } finally {
    callOff();
  }
}

function silent(timeoutMs: number, { owner, isRepeatable }: FailureSetting): AgentError {
  return new AgentError('tool-failed', `The stream said nothing for ${timeoutMs} ms.`, {
    class: 'timeout',
    remedy: `Try again, or raise streaming.timeoutMs of ${owner}.`,
    retryable: isRepeatable,
  });
}

/** Characters of one line; a longer one is passed over. */
const maxLine = maxBodyBytes;
/** Characters of what was passed over that are kept. */
const maxOther = 10_000;

/** Lines as they come. What is no JSON object is passed over. Nothing is looked through twice, however small the pieces are. */
class Events {
  isDone = false;
  /** The end of what was said so far. */
  latest = '';
  readonly #streaming: Streaming;
  readonly #tokens: string[] = [];
  #answer: Json | undefined;
  /** The line that has not ended yet, in pieces. */
  #line: string[] = [];
  #length = 0;
  /** The head of what was passed over, in case that nothing else comes. */
  #other = '';

  constructor(streaming: Streaming) {
    this.#streaming = streaming;
  }

  get tokens(): string {
    return this.#tokens.join('');
  }

  take(text: string): void {
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0 && !this.isDone; end = text.indexOf('\n', from)) {
      this.#add(text.slice(from, end));
      const line = this.#line.join('').trim();
      if (this.#length > maxLine) this.#passOver(line);
      else this.#read(line);
      this.#line = [];
      this.#length = 0;
      from = end + 1;
    }
    this.#add(text.slice(from));
  }

  answer(): ToolOutput {
    const answer = this.#answer;
    if (answer === undefined || answer === null) return this.tokens;
    return typeof answer === 'string' ? answer : { type: 'json', value: answer };
  }

  /** Marked, because it is not all. */
  rest(reason: string): ToolOutput {
    return `${this.tokens || this.#other.trim()}\n[${reason}]`.trim();
  }

  #read(line: string): void {
    const { linePrefix, discriminatorField, doneValue, answerField, tokenValue, tokenField } = this.#streaming;
    const text = line.startsWith(linePrefix) ? line.slice(linePrefix.length) : line;
    const event = parseObject(text);
    if (!event) {
      this.#passOver(line);
      return;
    }
    const kind = String(event[discriminatorField]);
    const token = event[tokenField];
    if (kind === tokenValue && typeof token === 'string') {
      this.#tokens.push(token);
      this.latest = `${this.latest}${token}`.slice(-200);
    }
    if (kind !== doneValue) return;
    this.isDone = true;
    this.#answer = exactAnswer(text, answerField) ?? (event[answerField] as Json | undefined);
  }

  #add(piece: string): void {
    this.#length += piece.length;
    if (this.#length <= maxLine) this.#line.push(piece);
  }

  #passOver(line: string): void {
    if (this.#other.length < maxOther) this.#other += `${line.slice(0, maxOther)}\n`;
  }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** As text, where its numbers would become others. */
function exactAnswer(line: string, field: string): string | undefined {
  const event = withExactNumbers(line) as Record<string, unknown> | undefined;
  const answer = event?.[field];
  const text = typeof answer === 'object' ? JSON.stringify(answer) : undefined;
  return text !== undefined && withExactNumbers(text) !== undefined ? text : undefined;
}
