// One provider's wire, both sides of it: what it answers, and what it is asked, in words that are the same for all.

import type { ProviderConfig } from '@ai-agent/models';

/** A reply, whatever the wire. */
export interface WireReply {
  readonly text?: string;
  readonly reasoning?: { readonly text: string; readonly signature?: string };
  readonly calls?: readonly WireCall[];
  /** @default 'tool-calls' with calls, else 'stop' */
  readonly finish?: 'stop' | 'tool-calls' | 'length' | 'content-filter';
  /** Input includes what was read from a cache and written to it. @default { input: 10, output: 5 } */
  readonly usage?: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead?: number;
    readonly cacheWrite?: number;
    readonly reasoning?: number;
  };
}

export interface WireCall {
  /** Wires without ids of calls leave it out. */
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** A request as its provider read it. */
export interface WireRequest {
  readonly system: string;
  /** Without the system prompt; one entry per message on the wire, the results of one turn in one entry. */
  readonly messages: readonly {
    readonly role: 'user' | 'assistant' | 'tool';
    readonly text: string;
    readonly calls: readonly WireCall[];
    /** In their order: what each call came to. `id` is empty where the wire has none. */
    readonly results: readonly { readonly id: string; readonly name?: string; readonly text: string }[];
    /** What was thought, when it goes back, with its signature. */
    readonly reasoning?: { readonly text: string; readonly signature?: string };
  }[];
  readonly tools: readonly string[];
  readonly isStreamed: boolean;
}

export interface Wire {
  /** For the names of tests: `openai (responses)`. */
  readonly label: string;
  /** What the configuration of such a provider says, but for address and key. */
  readonly config: Omit<ProviderConfig, 'baseUrl' | 'apiKey'>;
  /** Follows the origin in `baseUrl`: `/v1`. */
  readonly basePath: string;
  /** A model that this provider has, for which reasoning and tools work. */
  readonly model: string;
  /** The header that carries the key, and what stands in it. */
  readonly auth: (key: string) => readonly [header: string, value: string];
  /** Paths a request may go to, below the origin. */
  readonly paths: { readonly whole: string; readonly streamed: string };
  readonly streamType: string;
  /** What it sends while it has nothing to say, with its framing, beside comments where events have them. @default nothing */
  readonly keepAlive?: string;
  /** Where in a request these settings stand: `generationConfig.temperature`. Left out, they are not sent at all. */
  readonly settings?: { readonly temperature?: string; readonly maxOutputTokens?: string };
  /** What was thought has no place on this wire: a reply that has some is sent without it. @default false */
  readonly hidesReasoning?: boolean;
  /** A whole answer. */
  whole(reply: WireReply): string;
  /** The same as a stream: events with their framing, in their order. */
  stream(reply: WireReply): readonly string[];
  /** How many events from the start are certainly not yet a complete reply: cut anywhere up to here, it is none. */
  incompleteUntil(events: readonly string[]): number;
  /** The body of an error, as the documents of this provider show it. */
  error(status: number, message: string): string;
  /** An error in the middle of a stream, with its framing: the provider is overloaded. */
  streamError(message: string): string;
  read(body: string, path: string): WireRequest;
}

/** Streams are events, which may have comments between them; or else lines. */
export function isEvents({ streamType }: Wire): boolean {
  return streamType.startsWith('text/event-stream');
}
