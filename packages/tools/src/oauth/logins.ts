// Every login of the process: sessions that need the same one share it.

import { isIPv4 } from 'node:net';
import type { Clock } from '@ai-agent/core';
import {
  extractWWWAuthenticateParams,
  type FetchLike,
  InsufficientScopeError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import type { Auth } from './auth.ts';
import { Login, type Refused } from './login.ts';
import { toLoginKey } from './login-record.ts';
import { memoryTokenStore } from './memory-token-store.ts';
import { type OAuthConfig, readOAuthConfig } from './oauth-config.ts';
import type { TokenStore } from './token-store.ts';

export interface LoginsOptions {
  readonly clock: Clock;
  /** @default in memory */
  readonly tokens?: TokenStore | undefined;
  /** @default nobody is there */
  readonly openPage?: ((url: string) => Promise<void>) | undefined;
  /** The way to authorization servers: these hosts are named, as in Outbound. */
  readonly openWay: (named: readonly string[]) => Way;
  /** How long a person may take. @default 180000 */
  readonly loginTimeoutMs?: number;
}

export interface Way {
  readonly fetch: FetchLike;
  close(): Promise<void>;
}

/** A server over HTTP, its variables filled in. */
export interface ProtectedServer {
  readonly name: string;
  readonly url: string;
  /** As the entry has it; `false` is never. */
  readonly oauth: Readonly<Record<string, unknown>> | false | undefined;
  /** Whether an Authorization header is set up. */
  readonly hasOwnKey: boolean;
}

interface Shared {
  readonly login: Login;
  readonly way: Way;
  users: number;
}

export class Logins {
  readonly #options: LoginsOptions;
  readonly #store: TokenStore;
  readonly #shared = new Map<string, Shared>();

  constructor(options: LoginsOptions) {
    this.#options = options;
    this.#store = options.tokens ?? memoryTokenStore();
  }

  /** `fetch` reaches the server itself. Nothing when the server is never logged in to. Throws `config-invalid`. */
  open(server: ProtectedServer, fetch: FetchLike): Auth | undefined {
    if (server.oauth === false || (server.oauth === undefined && server.hasOwnKey)) return undefined;
    const config = readOAuthConfig(server.name, server.oauth);
    const key = toLoginKey(server.url, config);
    const shared = this.#shared.get(key) ?? this.#start(server, config, key);
    shared.users++;
    let isOpen = true;
    return toAuth(shared.login, fetch, async () => {
      if (isOpen) shared.users--;
      isOpen = false;
      if (shared.users === 0) await this.#end(key, shared);
    });
  }

  /** Ends what is on its way to authorization servers. */
  async close(): Promise<void> {
    await Promise.all([...this.#shared].map(([key, shared]) => this.#end(key, shared)));
  }

  #start({ name, url }: ProtectedServer, config: OAuthConfig, key: string): Shared {
    const { clock, openPage, openWay, loginTimeoutMs = 180_000 } = this.#options;
    const way = openWay(namedBy(url, config));
    const login = new Login({
      serverName: name,
      serverUrl: url,
      config,
      key,
      store: this.#store,
      fetch: way.fetch,
      clock,
      openPage,
      timeoutMs: loginTimeoutMs,
    });
    const shared = { login, way, users: 0 };
    this.#shared.set(key, shared);
    return shared;
  }

  async #end(key: string, shared: Shared): Promise<void> {
    if (this.#shared.get(key) === shared) this.#shared.delete(key);
    await shared.way.close();
  }
}

/**
 * The server, at every port where its host is an address; for a server on this machine, this machine by all of its names. Whoever owns
 * another name decides where it leads, from one request to the next: only the one port that was written down is named. Where a server
 * elsewhere says that its authorization server is inside a network, that is a stranger's word.
 */
function namedBy(url: string, { issuer }: OAuthConfig): readonly string[] {
  const { hostname, origin } = new URL(url);
  const isHere = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
  const hosts = new Set([hostname, ...(isHere ? ['localhost', '127.0.0.1', '[::1]'] : [])]);
  const isAddress = isIPv4(hostname) || hostname.startsWith('[');
  const named = isHere || isAddress ? [...hosts].map((host) => `${host}:*`) : [origin];
  return [...named, ...(issuer === undefined ? [] : [issuer])];
}

function toAuth(login: Login, fetch: FetchLike, close: () => Promise<void>): Auth {
  const sent = new WeakMap<Response, string>();
  const refusals = new WeakMap<object, Refused>();
  let forbidden: Refused = { token: undefined };
  return {
    provider: {
      token: () => login.token(),
      async onUnauthorized({ response }) {
        const refused = { token: sent.get(response), ...challengeOf(response) };
        if (await login.renew(refused)) return;
        const error = new UnauthorizedError('A login is needed.');
        refusals.set(error, refused);
        throw error;
      },
    },
    async fetch(url, init) {
      const token = /^Bearer (.+)$/.exec(new Headers(init?.headers).get('authorization') ?? '')?.[1];
      const response = await fetch(url, init);
      if (token === undefined) return response;
      sent.set(response, token);
      if (response.status === 403) forbidden = { token, isTooNarrow: true, ...challengeOf(response) };
      else if (response.status !== 401) login.accept(token);
      return response;
    },
    async complete(refusal, signal) {
      const isTooNarrow = refusal instanceof InsufficientScopeError;
      const known = typeof refusal === 'object' && refusal !== null ? refusals.get(refusal) : undefined;
      const refused = known ?? (isTooNarrow ? forbidden : { token: await login.token() });
      await login.complete(refused, signal);
    },
    hideFrom: (hide) => login.hideFrom(hide),
    close,
  };
}

function challengeOf(response: Response): Pick<Refused, 'scope' | 'resourceMetadataUrl'> {
  const { scope, resourceMetadataUrl } = extractWWWAuthenticateParams(response);
  return { scope, resourceMetadataUrl };
}
