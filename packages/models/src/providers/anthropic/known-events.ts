// Between the wire and the package: events it does not know would break its stream, though the API says there may be some.

import { isObject } from '@ai-agent/core';
import { JSONParseError } from '@ai-sdk/provider';
import { EventReader } from '../chat/server-sent-events.ts';

/** Streams with only what the package understands. Everything else comes as it is. */
export function knownEventsOnly(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    if (!isStream || !response.ok || !response.body) return response;
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(new TransformStream(new EventFilter())), {
      status,
      statusText,
      headers,
    });
  };
}

class EventFilter {
  readonly #reader = new EventReader();
  readonly #encoder = new TextEncoder();
  /** Blocks whose beginning was not understood. */
  readonly #unknown = new Set<unknown>();

  transform(bytes: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>): void {
    const events = this.#reader.take(bytes).flatMap((data) => this.#known(data) ?? []);
    if (events.length > 0) controller.enqueue(this.#encoder.encode(events.map((data) => `data: ${data}\n\n`).join('')));
  }

  #known(data: string): string | undefined {
    const event = parse(data);
    if (isObject(event.error)) return JSON.stringify({ type: 'error', error: toError(event.error) });
    const { type, index } = event;
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
function toError(error: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { ...error, type: String(error.type ?? 'api_error'), message: String(error.message ?? '') };
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
