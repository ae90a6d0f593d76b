// Somebody who uses a protected server as a connection does: logs in when that is needed, then tries again.

import type { Clock } from '@ai-agent/core';
import { Client, type FetchLike, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { type Auth, isLoginNeeded } from '../../src/oauth/auth.ts';
import { Logins, type LoginsOptions } from '../../src/oauth/logins.ts';

export const realClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(durationMs, wake) {
    const timer = setTimeout(wake, durationMs);
    return () => clearTimeout(timer);
  },
};

export function openLogins(options: Partial<LoginsOptions> = {}): Logins {
  const logins = new Logins({ clock: realClock, openWay: () => ({ fetch, close: async () => {} }), ...options });
  onTestFinished(() => logins.close());
  return logins;
}

/** A browser whose person does at once what the page says. */
export function browser(): { readonly openPage: (url: string) => Promise<void>; readonly pages: readonly string[] } {
  const pages: string[] = [];
  return {
    pages,
    async openPage(url) {
      pages.push(url);
      await (await fetch(url)).text();
    },
  };
}

export interface Visit {
  readonly url: string;
  readonly oauth?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
  /** The way to the server. @default everybody's */
  readonly fetch?: FetchLike;
}

export function openAuth(logins: Logins, { url, oauth, fetch: reach = fetch }: Visit): Auth {
  const auth = logins.open({ name: 'vault', url, oauth, hasOwnKey: false }, reach);
  if (!auth) throw new TypeError('This server has no login.');
  onTestFinished(() => auth.close());
  return auth;
}

/** Connected; `call` gives what the one tool says. */
export async function visit(
  logins: Logins,
  options: Visit,
): Promise<{ call(): Promise<unknown>; readonly auth: Auth }> {
  const { url, signal = new AbortController().signal } = options;
  const auth = openAuth(logins, options);
  const client = await withLogin(auth, signal, async () => {
    const one = new Client({ name: 'visitor', version: '1' });
    await one.connect(
      new StreamableHTTPClientTransport(new URL(url), { authProvider: auth.provider, fetch: auth.fetch }),
    );
    return one;
  });
  onTestFinished(() => client.close());
  return {
    auth,
    call: () =>
      withLogin(auth, signal, async () => (await client.callTool({ name: 'look', arguments: {} })).content[0]),
  };
}

async function withLogin<T>(auth: Auth, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isLoginNeeded(error)) throw error;
      await auth.complete(error, signal);
    }
  }
}
