// Every tool of a server, page after page, with an end to it.

import { AgentError, isObject } from '@ai-agent/core';
import { type Client, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { mostPages, mostTools, startListening } from './client.ts';
import type { McpTool } from './link.ts';
import { mendTools } from './mend-tool.ts';
import type { ServerConfig } from './server-config.ts';
import { until } from './until.ts';

/** Kept until the server says that it changed, or nothing more about changes. */
export class ToolList {
  readonly #server: Listing['server'];
  readonly #signal: AbortSignal;
  readonly #counts = new Set<Count>();
  #tools: Promise<readonly McpTool[]> | undefined;
  #isListening = false;

  constructor(server: Listing['server'], signal: AbortSignal) {
    this.#server = server;
    this.#signal = signal;
  }

  /** For a connection that is new. */
  begin(client: Client): void {
    this.#tools = undefined;
    this.#isListening = false;
    this.#listen(client);
  }

  /** Everybody gets the same until it is forgotten. */
  read(client: Client): Promise<readonly McpTool[]> {
    if (this.#tools) return this.#tools;
    // Before the list is read: a change in between would not be heard of.
    this.#listen(client);
    const listing = listTools(client, { server: this.#server, counts: this.#counts, signal: this.#signal });
    this.#tools = listing;
    listing.catch(() => {
      if (this.#tools === listing) this.#tools = undefined;
    });
    return listing;
  }

  forget(): void {
    this.#tools = undefined;
  }

  /** Counts while pages come in: the SDK hands them over only when it has them all. */
  see(message: unknown): void {
    if (this.#counts.size === 0) return;
    const { result } = message as { readonly result?: unknown };
    if (!isObject(result) || !Array.isArray(result.tools)) return;
    const tools = mendTools(result.tools);
    result.tools = tools;
    for (const count of this.#counts) {
      count.tools += tools.length;
      if (count.tools > mostTools) count.onTooMany();
    }
  }

  #listen(client: Client): void {
    if (this.#isListening) return;
    this.#isListening = true;
    void startListening(client, () => {
      this.#isListening = false;
      this.forget();
    });
  }
}

interface Count {
  tools: number;
  onTooMany(): void;
}

interface Listing {
  readonly server: Pick<ServerConfig, 'name' | 'requestTimeoutMs'>;
  readonly counts: Set<Count>;
  readonly signal: AbortSignal;
}

const listMs = 10_000;
const mostListMs = 60_000;

/** A list is no work: a server that never gives it fails in seconds, unless it is known to be slow. */
export function listLimitMs({ requestTimeoutMs = listMs }: Pick<ServerConfig, 'requestTimeoutMs'>): number {
  return Math.min(requestTimeoutMs, mostListMs);
}

async function listTools(client: Client, { server, counts, signal }: Listing): Promise<readonly McpTool[]> {
  if (!client.getServerCapabilities()?.tools) return [];
  const stop = new AbortController();
  const timeout = listLimitMs(server);
  const timer = setTimeout(() => stop.abort(tooSlow(server.name, timeout)), timeout);
  const count: Count = { tools: 0, onTooMany: () => stop.abort(tooMany(server.name)) };
  counts.add(count);
  try {
    const listed = client.listTools(undefined, { cacheMode: 'refresh', signal: stop.signal, timeout });
    return (await until(listed, AbortSignal.any([signal, stop.signal]))).tools;
  } catch (error) {
    const isEndless = error instanceof SdkError && error.code === SdkErrorCode.ListPaginationExceeded;
    throw isEndless ? tooMany(server.name) : error;
  } finally {
    clearTimeout(timer);
    counts.delete(count);
  }
}

function tooMany(name: string): AgentError {
  return new AgentError(
    'tool-source-failed',
    `The server ${name} lists its tools without an end: more than ${mostTools} of them, or ${mostPages} pages.`,
    { class: 'tool', remedy: `Update the server ${name}, or do without it.` },
  );
}

function tooSlow(name: string, afterMs: number): AgentError {
  return new AgentError('tool-source-failed', `The server ${name} did not list its tools within ${afterMs / 1000} s.`, {
    class: 'timeout',
    remedy: `Check the server ${name}; give requestTimeoutMs if it is only slow.`,
  });
}
