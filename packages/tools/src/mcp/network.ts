// The way to a server that is not started here: requests, sockets, and who we are to it.

import type { Trace } from '@ai-agent/core';
import type { AuthProvider, FetchLike, OAuthClientProvider } from '@modelcontextprotocol/client';
import { Agent, type Dispatcher, fetch } from 'undici';
import type { Surroundings } from '../surroundings.ts';
import type { ServerConfig } from './server-config.ts';

export interface Network {
  /** For one connection, however often it is made anew. */
  open(server: ServerConfig, surroundings: Surroundings): Route;
}

export interface Route {
  readonly fetch: FetchLike;
  readonly dispatcher: Dispatcher;
  readonly login: Login | undefined;
  /** Does work in the name of whoever calls. */
  inNameOf<T>(trace: Trace, work: () => T): T;
  close(): Promise<void>;
}

export interface Login {
  readonly provider: AuthProvider | OAuthClientProvider;
  isNeeded(error: unknown): boolean;
  /** Takes as long as a person takes. Throws an AgentError of class auth when there is no way on. */
  complete(refusal: unknown, signal: AbortSignal): Promise<void>;
}

export const network: Network = {
  open() {
    const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
    return {
      dispatcher,
      fetch: ((input: string | URL, init?: object) =>
        fetch(input, { ...init, dispatcher } as object)) as unknown as FetchLike,
      login: undefined,
      inNameOf: (_trace, work) => work(),
      close: () => dispatcher.destroy(),
    };
  },
};
