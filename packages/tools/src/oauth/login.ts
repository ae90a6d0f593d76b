// One login to one server, for everybody in this process who has it: asked for once, renewed once, dropped when refused.

import type { Clock } from '@ai-agent/core';
import { auth, computeScopeUnion, type FetchLike, isStrictScopeSuperset } from '@modelcontextprotocol/client';
import { authFailure, TokenRefusal, toAuthFailure } from './auth-failure.ts';
import { authFetch } from './auth-fetch.ts';
import { logInByCode } from './code-flow.ts';
import { discover } from './discover.ts';
import { type Findings, toFlowProvider } from './flow-provider.ts';
import { type LoginRecord, parseRecord, printRecord, secretsOf, withoutTokens } from './login-record.ts';
import { type OAuthConfig, scopeOf } from './oauth-config.ts';
import { refresh } from './refresh.ts';
import { SharedWork } from './shared-work.ts';
import type { TokenStore } from './token-store.ts';

export interface LoginOptions {
  readonly serverName: string;
  readonly serverUrl: string;
  readonly config: OAuthConfig;
  readonly key: string;
  readonly store: TokenStore;
  readonly fetch: FetchLike;
  readonly clock: Clock;
  readonly openPage: ((url: string) => Promise<void>) | undefined;
  readonly timeoutMs: number;
}

/** What a server said no to, and what it said. */
export interface Refused {
  readonly token: string | undefined;
  /** What it wants us to be allowed. */
  readonly scope?: string | undefined;
  /** Whether the token is good, but not for this. */
  readonly isTooNarrow?: boolean;
  readonly resourceMetadataUrl?: URL | undefined;
}

/** The last token that came in this process. */
interface Given {
  readonly token: string | undefined;
  /** A refreshed token that is refused is followed by a login; one that a login gave is followed by nothing. */
  readonly by: 'login' | 'refresh';
  /** Whether the server took it at least once. */
  isTaken: boolean;
}

export class Login {
  readonly #options: LoginOptions;
  readonly #secrets = new Set<string>();
  readonly #listeners = new Set<(secret: string) => void>();
  readonly #renewal = new SharedWork<boolean>();
  readonly #dialogue = new SharedWork<void>();
  #record: LoginRecord | undefined;
  #given: Given | undefined;

  constructor(options: LoginOptions) {
    this.#options = options;
    for (const secret of [options.config.clientSecret, options.config.privateKey])
      if (secret) this.#secrets.add(secret);
  }

  async token(): Promise<string | undefined> {
    this.#record ??= await this.#load();
    return this.#record.tokens?.access_token;
  }

  /** The server answered to a token with something else than a refusal. */
  accept(token: string): void {
    if (this.#given?.token === token) this.#given.isTaken = true;
  }

  /** Without a person. Says whether there is another token now; a token that is good for nothing is dropped. */
  async renew(refused: Refused): Promise<boolean> {
    return this.#renewal.join((signal) => this.#guarded(() => this.#renewAlone(refused, signal)));
  }

  /** With a person, where that is needed. Throws an AgentError when it leads to nothing. */
  async complete(refused: Refused, signal: AbortSignal): Promise<void> {
    const now = await this.token();
    if (now !== undefined && now !== refused.token) return;
    await this.#dialogue.join((shared) => this.#guarded(() => this.#ask(refused, shared)), signal);
  }

  /** Until what it gives is called. */
  hideFrom(hide: (secret: string) => void): () => void {
    for (const secret of this.#secrets) hide(secret);
    this.#listeners.add(hide);
    return () => void this.#listeners.delete(hide);
  }

  async #renewAlone(refused: Refused, signal: AbortSignal): Promise<boolean> {
    const { store, key } = this.#options;
    const work = async () => {
      // Another process may have been faster, and a refresh token is good for one use.
      const record = await this.#load();
      const now = record.tokens?.access_token;
      if (now !== undefined && now !== refused.token) return true;
      this.#throwIfInVain(refused);
      const renewed = await this.#renewed(record, refused, signal);
      await this.#keep(renewed ?? withoutTokens(this.#record ?? {}));
      return renewed !== undefined;
    };
    return store.exclusively ? store.exclusively(key, work, signal) : work();
  }

  async #renewed(record: LoginRecord, refused: Refused, signal: AbortSignal): Promise<LoginRecord | undefined> {
    const { config, serverUrl } = this.#options;
    const fetch = this.#fetch(signal);
    if (config.grant === 'client_credentials') return this.#grantOurselves(record, refused, fetch);
    const isRefreshed = this.#given?.by === 'refresh' && this.#given.token === refused.token && !this.#given.isTaken;
    if (isRefreshed || record.tokens?.refresh_token === undefined) return undefined;
    try {
      const { resourceMetadataUrl } = refused;
      const renewed = await refresh(record, { config, serverUrl, fetch, resourceMetadataUrl });
      this.#given = { token: renewed?.tokens?.access_token, by: 'refresh', isTaken: false };
      return renewed;
    } catch (error) {
      if (!(error instanceof TokenRefusal && error.isFinal)) throw error;
      await this.#forgetIfUnknown(error);
      return undefined;
    }
  }

  /** Whoever registered us may have forgotten it: the next login registers anew. */
  async #forgetIfUnknown(error: unknown): Promise<void> {
    if (error instanceof TokenRefusal && error.isFinal && error.reason.endsWith('_client')) await this.#keep({});
  }

  async #grantOurselves(record: LoginRecord, refused: Refused, fetch: FetchLike): Promise<LoginRecord> {
    const { config, serverUrl } = this.#options;
    const { resourceMetadataUrl } = refused;
    const findings: Findings = { discovery: await discover({ serverUrl, resourceMetadataUrl, fetch }) };
    const scope = this.#scopeToAsk(record, refused);
    const provider = toFlowProvider({ config, findings });
    await auth(provider, { serverUrl, fetchFn: fetch, ...(scope === undefined ? {} : { scope }) });
    this.#given = { token: findings.tokens?.access_token, by: 'login', isTaken: false };
    return { ...(findings.tokens ? { tokens: findings.tokens } : {}), ...(scope === undefined ? {} : { scope }) };
  }

  async #ask(refused: Refused, signal: AbortSignal): Promise<void> {
    this.#throwIfInVain(refused);
    const { serverName, openPage, config } = this.#options;
    if (config.grant === 'client_credentials') {
      if (await this.#renewal.join((shared) => this.#renewAlone(refused, shared), signal)) return;
      throw authFailure(`${serverName} takes no token that we can get.`, `Check oauth of mcpServers.${serverName}.`);
    }
    if (!openPage) throw nobodyThere(serverName);
    const record = this.#record ?? {};
    const found = await logInByCode({
      ...this.#options,
      openPage,
      record,
      scope: this.#scopeToAsk(record, refused),
      resourceMetadataUrl: refused.resourceMetadataUrl,
      fetch: this.#fetch(signal),
      signal,
      onSecret: (secret) => this.#tell(secret),
    }).catch(async (error: unknown) => {
      await this.#forgetIfUnknown(error);
      throw error;
    });
    this.#given = { token: found.tokens?.access_token, by: 'login', isTaken: false };
    await this.#keep(found);
  }

  /** What was granted is asked for again, with what is wanted beside it. */
  #scopeToAsk(record: LoginRecord, { scope, isTooNarrow }: Refused): string | undefined {
    const configured = scopeOf(this.#options.config);
    if (!isTooNarrow) return configured ?? scope;
    return computeScopeUnion(configured, record.scope, record.tokens?.scope, scope);
  }

  /** After a login that did not help, the next would fare no better. */
  #throwIfInVain(refused: Refused): void {
    const given = this.#given;
    if (given === undefined || given.token !== refused.token || given.by !== 'login') return;
    const { serverName } = this.#options;
    const { tokens, scope } = this.#record ?? {};
    const wantsMore = isStrictScopeSuperset(refused.scope, computeScopeUnion(scope, tokens?.scope));
    if (refused.isTooNarrow ? wantsMore : given.isTaken) return;
    throw authFailure(
      `${serverName} refuses the token that it has just been given.`,
      refused.isTooNarrow
        ? `This account may not do that; it asks for: ${printable(refused.scope ?? 'more')}.`
        : 'Check that the server and its authorization server belong together, and that this account may use it.',
    );
  }

  #fetch(signal: AbortSignal): FetchLike {
    return authFetch(this.#options.fetch, { clock: this.#options.clock, signal });
  }

  async #load(): Promise<LoginRecord> {
    this.#record = parseRecord(await this.#options.store.get(this.#options.key));
    this.#tellSecrets();
    return this.#record;
  }

  async #keep(record: LoginRecord): Promise<void> {
    this.#record = record;
    this.#tellSecrets();
    const { store, key } = this.#options;
    if (record.tokens || record.client) await store.set(key, printRecord(record));
    else await store.delete(key);
  }

  #tellSecrets(): void {
    for (const secret of secretsOf(this.#record ?? {})) this.#tell(secret);
  }

  #tell(secret: string): void {
    if (this.#secrets.has(secret)) return;
    this.#secrets.add(secret);
    for (const hide of this.#listeners) hide(secret);
  }

  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw toAuthFailure(this.#options.serverName, error, this.#secrets);
    }
  }
}

function nobodyThere(serverName: string) {
  return authFailure(
    `${serverName} wants a login, and nobody is here to give it.`,
    `Run ai-agent login <agent file> in a terminal: it is kept for the next run. Or give its key in headers of mcpServers.${serverName}.`,
  );
}

function printable(text: string): string {
  return text.replace(/[^\x21-\x7e ]+/g, ' ').slice(0, 200);
}
