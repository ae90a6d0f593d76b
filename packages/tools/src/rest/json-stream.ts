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
      if (events.tokens !== '') context.progress(oneLine(events.tokens.slice(-200)));
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

/** Lines as they come. What is no JSON object is passed over. */
class Events {
  tokens = '';
  isDone = false;
  readonly #streaming: Streaming;
  #answer: Json | undefined;
  #line = '';
  /** The head of what was passed over, in case that nothing else comes. */
  #other = '';

  constructor(streaming: Streaming) {
    this.#streaming = streaming;
  }

  take(text: string): void {
    const lines = `${this.#line}${text}`.split(/\r?\n/);
    this.#line = lines.pop() ?? '';
    for (const line of lines) if (!this.isDone) this.#read(line.trim());
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
    const event = parseObject(line.startsWith(linePrefix) ? line.slice(linePrefix.length) : line);
    if (!event) {
      if (this.#other.length < 10_000) this.#other += `${line}\n`;
      return;
    }
    const kind = String(event[discriminatorField]);
    if (kind === tokenValue && typeof event[tokenField] === 'string') this.tokens += event[tokenField];
    if (kind !== doneValue) return;
    this.isDone = true;
    this.#answer = event[answerField] as Json | undefined;
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
