// Every tool of a server, page after page, with an end to it.

import { AgentError } from '@ai-agent/core';
import { type Client, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { mostPages, mostTools } from './client.ts';
import type { McpTool } from './link.ts';
import type { ServerConfig } from './server-config.ts';
import { until } from './until.ts';

export interface Listing {
  readonly server: Pick<ServerConfig, 'name' | 'requestTimeoutMs'>;
  readonly count: ToolCount;
  readonly signal: AbortSignal;
}

const listMs = 60_000;

export async function listTools(client: Client, { server, count, signal }: Listing): Promise<readonly McpTool[]> {
  if (!client.getServerCapabilities()?.tools) return [];
  const stop = new AbortController();
  const timeout = server.requestTimeoutMs ?? listMs;
  const timer = setTimeout(() => stop.abort(tooSlow(server.name, timeout)), timeout);
  const counted = count.begin(() => stop.abort(tooMany(server.name)));
  try {
    const listed = client.listTools(undefined, { cacheMode: 'refresh', signal: stop.signal, timeout });
    return (await until(listed, AbortSignal.any([signal, stop.signal]))).tools;
  } catch (error) {
    const isEndless = error instanceof SdkError && error.code === SdkErrorCode.ListPaginationExceeded;
    throw isEndless ? tooMany(server.name) : error;
  } finally {
    clearTimeout(timer);
    counted.end();
  }
}

/** Counts tools while pages come in: the SDK hands them over only when it has them all. */
export class ToolCount {
  readonly #listings = new Set<{ tools: number; readonly onTooMany: () => void }>();

  begin(onTooMany: () => void): { end(): void } {
    const listing = { tools: 0, onTooMany };
    this.#listings.add(listing);
    return { end: () => this.#listings.delete(listing) };
  }

  see(message: unknown): void {
    if (this.#listings.size === 0) return;
    const { tools } = ((message as { readonly result?: unknown }).result ?? {}) as { readonly tools?: unknown };
    if (!Array.isArray(tools)) return;
    for (const listing of this.#listings) {
      listing.tools += tools.length;
      if (listing.tools > mostTools) listing.onTooMany();
    }
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
