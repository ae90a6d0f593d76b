// What is kept of a login, as the store has it: read with distrust, written whole.

import { createHash } from 'node:crypto';
import { isObject } from '@ai-agent/core';
import type { StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client';
import type { OAuthConfig } from './oauth-config.ts';

export interface LoginRecord {
  readonly tokens?: StoredOAuthTokens;
  /** What was asked for when they were given: servers may leave it out of their answer. */
  readonly scope?: string;
  /** Who we are to the authorization server, where we registered ourselves. */
  readonly client?: StoredOAuthClientInformation;
  /** Where that registration lets browsers come back to. */
  readonly redirectUrl?: string;
}

/** Whose login it is: other settings, another login. */
export function toLoginKey(url: string, config: OAuthConfig): string {
  const { clientId, clientSecret, privateKey, clientMetadataUrl, grant, scopes, issuer } = config;
  const settings = [new URL(url).href, clientId, clientSecret, privateKey, clientMetadataUrl, grant, scopes, issuer];
  return createHash('sha256')
    .update(JSON.stringify(settings.map((one) => one ?? null)))
    .digest('hex');
}

export function printRecord(record: LoginRecord): string {
  return JSON.stringify({ version: 1, ...record });
}

/** What cannot be read is as if it were not there. */
export function parseRecord(text: string | undefined): LoginRecord {
  const { version, tokens, scope, client, redirectUrl } = parse(text);
  if (version !== 1) return {};
  const hasTokens = isObject(tokens) && typeof tokens.access_token === 'string';
  const hasClient = isObject(client) && typeof client.client_id === 'string';
  return {
    ...(hasTokens ? { tokens: tokens as unknown as StoredOAuthTokens } : {}),
    ...(typeof scope === 'string' ? { scope } : {}),
    ...(hasClient ? { client: client as unknown as StoredOAuthClientInformation } : {}),
    ...(typeof redirectUrl === 'string' ? { redirectUrl } : {}),
  };
}

export function secretsOf({ tokens, client }: LoginRecord): readonly string[] {
  return [tokens?.access_token, tokens?.refresh_token, tokens?.id_token, client?.client_secret].filter(
    (one) => one !== undefined,
  );
}

export function withoutTokens({ tokens: _, scope: __, ...rest }: LoginRecord): LoginRecord {
  return rest;
}

function parse(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
