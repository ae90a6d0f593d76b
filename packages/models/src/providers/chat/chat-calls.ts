// The tool calls of a streamed completion, put together from their pieces by what the provider package itself uses.

import { isObject } from '@ai-agent/core';
import type { SharedV4ProviderMetadata } from '@ai-sdk/provider';
import { type StreamingToolCallDelta, StreamingToolCallTracker } from '@ai-sdk/provider-utils';
import { invalid, textIn } from './chat-fields.ts';

interface Piece extends StreamingToolCallDelta {
  readonly index: number | null;
  readonly id: string;
  readonly function: { readonly name: string | null; readonly arguments: string };
  readonly extra_content: SharedV4ProviderMetadata | undefined;
}

export class ChatCalls {
  readonly #whole: object[] = [];
  readonly #tracker: StreamingToolCallTracker<Piece>;
  /** By index: the tracker wants a name first, and some send it late. */
  readonly #nameless = new Map<number, Piece>();
  readonly #named = new Set<number>();

  constructor(generateId: () => string) {
    this.#tracker = new StreamingToolCallTracker<Piece>(
      {
        enqueue: (part) => {
          if (part.type !== 'tool-call') return;
          const { toolCallId: id, toolName: name, input, providerMetadata: extra_content } = part;
          this.#whole.push({ id, function: { name, arguments: input }, extra_content });
        },
      },
      // Not metadata yet: reading the completion makes it so, in whatever way it does for one that came whole.
      {
        generateId,
        extractMetadata: ({ extra_content }) => extra_content,
        buildToolCallProviderMetadata: (extra) => extra,
      },
    );
  }

  take(delta: unknown): void {
    const piece = toPiece(delta);
    const { index } = piece;
    if (index === null || this.#named.has(index)) {
      this.#tracker.processDelta(piece);
      return;
    }
    const before = this.#nameless.get(index);
    const joined = before ? join(before, piece) : piece;
    this.#nameless.set(index, joined);
    if (piece.function.name === null) return;
    this.#tracker.processDelta(joined);
    this.#nameless.delete(index);
    this.#named.add(index);
  }

  /** As they stand in a completion that came whole. Throws for a call without a name. */
  whole(): readonly object[] {
    for (const piece of this.#nameless.values()) this.#tracker.processDelta(piece);
    this.#tracker.flush();
    return this.#whole;
  }
}

function join(first: Piece, next: Piece): Piece {
  return {
    index: first.index,
    id: first.id || next.id,
    function: { name: next.function.name, arguments: first.function.arguments + next.function.arguments },
    extra_content: first.extra_content ?? next.extra_content,
  };
}

function toPiece(delta: unknown): Piece {
  if (!isObject(delta) || !isObject(delta.function)) throw invalid(delta, 'tool_calls');
  const { index, function: part, extra_content: extra } = delta;
  if (index !== undefined && index !== null && typeof index !== 'number') throw invalid(delta, 'index');
  const { name, arguments: input } = part;
  return {
    index: index ?? null,
    id: textIn(delta, 'id'),
    function: {
      name: name === undefined || name === null ? null : textIn(part, 'name'),
      arguments: isObject(input) ? JSON.stringify(input) : textIn(part, 'arguments'),
    },
    extra_content: isObject(extra) ? (extra as SharedV4ProviderMetadata) : undefined,
  };
}
