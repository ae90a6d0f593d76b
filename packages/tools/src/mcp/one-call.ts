// One call of one tool, as far as the server answers it.

import type { JsonObject } from '@ai-agent/core';
import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { metaOfCaller } from '../calling.ts';
import { metaOfCall } from './client.ts';
import type { Answers, CallOptions } from './link.ts';
import type { Route } from './network.ts';
import type { ProgressReports } from './progress.ts';
import type { ServerConfig } from './server-config.ts';
import { until } from './until.ts';

export interface OneCall {
  readonly tool: string;
  readonly args: JsonObject;
  readonly options: CallOptions;
  readonly client: Client;
  readonly server: Pick<ServerConfig, 'requestTimeoutMs' | 'type' | 'url'>;
  readonly route: Route | undefined;
  readonly answers: Pick<Answers, 'elicit'>;
  readonly progress: ProgressReports;
}

/** Node knows no longer one. The time of a call is the caller's. */
const noLimitMs = 2 ** 31 - 1;

/** Rejects at once when it is called off; the server is told. */
export async function callOnce({
  tool,
  args,
  options,
  client,
  server,
  route,
  answers,
  progress,
}: OneCall): Promise<CallToolResult> {
  options.signal.throwIfAborted();
  const ending = new AbortController();
  const onAbort = () => ending.abort('The call was cancelled.');
  options.signal.addEventListener('abort', onAbort, { once: true });
  const { token, end } = progress.begin((text) => options.onProgress(text));
  const params = {
    name: tool,
    arguments: args as Record<string, unknown>,
    _meta: { progressToken: token, ...metaOfCall(client), ...metaOfCaller(options.calling, server) },
  };
  // While a person is asked, no time counts: only the caller knows when that is.
  const limitMs = answers.elicit ? undefined : server.requestTimeoutMs;
  const request = () => client.callTool(params, { signal: ending.signal, timeout: limitMs ?? noLimitMs });
  try {
    return await until(route ? route.inNameOf(options.calling, request) : request(), options.signal);
  } finally {
    options.signal.removeEventListener('abort', onAbort);
    end();
  }
}
