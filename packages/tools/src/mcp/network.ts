// The way to servers that are not started here: requests, sockets, and who we are to them.

import type { Calling } from '@ai-agent/core';
import type { AuthProvider, FetchLike } from '@modelcontextprotocol/client';
import type { Dispatcher } from 'undici';
import { withCaller } from '../calling.ts';
import { isLoginNeeded } from '../oauth/auth.ts';
import { Logins } from '../oauth/logins.ts';
import { Outbound } from '../outbound/outbound.ts';
import type { Surroundings } from '../surroundings.ts';
import type { ServerConfig } from './server-config.ts';
import { boundedFetch } from './transports/bounded-fetch.ts';
import { maxMessageBytes } from './transports/stdio.ts';

export interface Route {
  readonly fetch: FetchLike;
  readonly dispatcher: Dispatcher;
  readonly login: RouteLogin | undefined;
  /** Does work in the name of whoever calls. */
  inNameOf<T>(caller: Calling, work: () => T): T;
  close(): Promise<void>;
}

export interface RouteLogin {
  readonly provider: AuthProvider;
  isNeeded(error: unknown): boolean;
  /** Takes as long as a person takes. Throws an AgentError of class auth when there is no way on. */
  complete(refusal: unknown, signal: AbortSignal): Promise<void>;
  /** Tells every secret that is known, and each that becomes known, until what it gives is called. */
  hideFrom(hide: (secret: string) => void): () => void;
}

export class Network {
  readonly #logins: Logins;

  constructor({ clock, tokens, openPage }: Surroundings) {
    this.#logins = new Logins({ clock, tokens, openPage, openWay: (named) => new Outbound({ named }) });
  }

  /** For one connection, however often it is made anew. */
  open({ name, type, url, headers, oauth }: ServerConfig): Route {
    const outbound = new Outbound({ named: [url] });
    const fetch = boundedFetch(outbound.fetch, maxMessageBytes);
    const hasOwnKey = Object.keys(headers).some((header) => header.toLowerCase() === 'authorization');
    const auth = type === 'websocket' ? undefined : this.#logins.open({ name, url, oauth, hasOwnKey }, fetch);
    return {
      // The login knows answers again that it has seen: nothing may come between it and the transport.
      fetch: auth?.fetch ?? fetch,
      dispatcher: outbound.dispatcher,
      login: auth && { ...auth, isNeeded: isLoginNeeded },
      inNameOf: withCaller,
      async close() {
        await auth?.close();
        await outbound.close();
      },
    };
  }

  async close(): Promise<void> {
    await this.#logins.close();
  }
}
