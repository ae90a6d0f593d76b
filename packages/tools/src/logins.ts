// Where a person signs in for a server, and what is kept of it: for commands that sign in and out.

import type { EnvOverlay } from '@ai-agent/core';
import { fill } from './fill.ts';
import { readServerConfig } from './mcp/server-config.ts';
import { parseRecord, toLoginKey } from './oauth/login-record.ts';
import { readOAuthConfig } from './oauth/oauth-config.ts';
import type { TokenStore } from './oauth/token-store.ts';
import type { ToolSetUp } from './set-up.ts';

export interface Login {
  /** Of the server. */
  readonly url: string;
  /** Under which its tokens are kept. */
  readonly key: string;
}

/** Undefined for what nobody signs in to: it is started here, has a key of its own, or says no. */
export function findLogin(entry: Pick<ToolSetUp, 'section' | 'name' | 'config'>, env: EnvOverlay): Login | undefined {
  const { section, name, config } = entry;
  if (section !== 'mcpServers') return undefined;
  const { type, url, oauth, headers } = readServerConfig(name, fill(config, env));
  const hasOwnKey = Object.keys(headers).some((header) => /^authorization$/i.test(header));
  if ((type !== 'http' && type !== 'sse') || oauth === false || (oauth === undefined && hasOwnKey)) return undefined;
  return { url, key: toLoginKey(url, readOAuthConfig(name, oauth)) };
}

export async function isSignedIn({ key }: Login, tokens: TokenStore): Promise<boolean> {
  return parseRecord(await tokens.get(key)).tokens !== undefined;
}
