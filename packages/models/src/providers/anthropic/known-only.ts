// Between the wire and the package: what it does not know would break its reading, though the API says there may be some.

import { isObject } from '@ai-agent/core';
import { JSONParseError } from '@ai-sdk/provider';
import { EventReader } from '../chat/server-sent-events.ts';

/** Answers, whole or streamed, with only what the package understands. Refusals and pages come as they are. */
export function knownOnly(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.status !== 200 || !response.body) return response;
    const { status, statusText, headers } = response;
    const isStream = headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    const known = response.body.pipeThrough(new TransformStream(isStream ? new EventFilter() : new BlockFilter()));
    return new Response(known, { status, statusText, headers });
  };
}

type Controller = TransformStreamDefaultController<Uint8Array>;

class EventFilter {
  readonly #reader = new EventReader();
  readonly #encoder = new TextEncoder();
  /** Blocks whose beginning was not understood. */
  readonly #unknown = new Set<unknown>();

  transform(bytes: Uint8Array, controller: Controller): void {
    const events = this.#reader.take(bytes).flatMap((data) => this.#known(data) ?? []);
    if (events.length > 0) controller.enqueue(this.#encoder.encode(events.map((data) => `data: ${data}\n\n`).join('')));
  }

  #known(data: string): string | undefined {
    const event = parse(data);
    const { type, index, error } = event;
    if (type === 'error' || error !== undefined) return JSON.stringify({ type: 'error', error: toError(error) });
    if (type === 'content_block_start' && !blockTypes.has(typeIn(event.content_block))) this.#unknown.add(index);
    if (index !== undefined && this.#unknown.has(index)) return undefined;
    if (type === 'content_block_delta' && !deltaTypes.has(typeIn(event.delta))) return undefined;
    return eventTypes.has(type) ? data : undefined;
  }
}

/** Thrown here it is a reply that cannot be read; the package would call it an error it did not expect. */
function parse(data: string): Readonly<Record<string, unknown>> {
  try {
    const event: unknown = JSON.parse(data);
    return isObject(event) ? event : {};
  } catch (cause) {
    throw new JSONParseError({ text: data, cause });
  }
}

/** Gateways leave out what the package insists on. */
function toError(said: unknown): Readonly<Record<string, unknown>> {
  const error = isObject(said) ? said : { message: said };
  return { ...error, type: String(error.type ?? 'api_error'), message: String(error.message ?? '') };
}

/** The same for a whole answer, which is read at its end. */
class BlockFilter {
  readonly #chunks: Uint8Array[] = [];

  transform(bytes: Uint8Array): void {
    this.#chunks.push(bytes);
  }

  flush(controller: Controller): void {
    const whole = Buffer.concat(this.#chunks);
    controller.enqueue(withKnownBlocks(whole.toString()) ?? whole);
  }
}

function withKnownBlocks(text: string): Uint8Array | undefined {
  const answer = tryToParse(text);
  if (!isObject(answer) || !Array.isArray(answer.content)) return undefined;
  const known = answer.content.filter((block) => blockTypes.has(typeIn(block)));
  // Servers like this one may think without signing.
  const content = known.map((block) => (typeIn(block) === 'thinking' ? { signature: '', ...block } : block));
  return new TextEncoder().encode(JSON.stringify({ ...answer, content }));
}

function tryToParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function typeIn(value: unknown): unknown {
  return isObject(value) ? value.type : undefined;
}

const eventTypes = new Set<unknown>([
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
  'ping',
]);

/** What models write themselves. What the provider runs and finds is no part of our conversations. */
const blockTypes = new Set<unknown>(['text', 'thinking', 'redacted_thinking', 'tool_use', 'compaction']);

const deltaTypes = new Set<unknown>([
  'text_delta',
  'thinking_delta',
  'signature_delta',
  'input_json_delta',
  'citations_delta',
  'compaction_delta',
]);
