// New tokens for old ones, without a person.

import { type FetchLike, refreshAuthorization, selectResourceURL } from '@modelcontextprotocol/client';
import { discover } from './discover.ts';
import { authenticationOf, configuredClient, toFlowProvider } from './flow-provider.ts';
import type { LoginRecord } from './login-record.ts';
import type { OAuthConfig } from './oauth-config.ts';

export interface RefreshOptions {
  readonly config: OAuthConfig;
  readonly serverUrl: string;
  readonly resourceMetadataUrl: URL | undefined;
  readonly fetch: FetchLike;
}

/** Nothing when there is nothing to refresh, or when the server has gone over to another authorization server. */
export async function refresh(record: LoginRecord, options: RefreshOptions): Promise<LoginRecord | undefined> {
  const { config, serverUrl, fetch } = options;
  const client = configuredClient(config) ?? record.client;
  const { tokens } = record;
  if (!client || tokens?.refresh_token === undefined) return undefined;
  const discovery = await discover(options);
  const metadata = discovery.authorizationServerMetadata;
  const issuer = metadata?.issuer ?? discovery.authorizationServerUrl;
  // What one authorization server gave is no other's business.
  if (tokens.issuer !== issuer || (client.issuer !== undefined && client.issuer !== issuer)) return undefined;
  const provider = toFlowProvider({ config, findings: { discovery } });
  const resource = await selectResourceURL(serverUrl, provider, discovery.resourceMetadata);
  const renewed = await refreshAuthorization(discovery.authorizationServerUrl, {
    clientInformation: client,
    refreshToken: tokens.refresh_token,
    fetchFn: fetch,
    ...(metadata ? { metadata } : {}),
    ...(resource ? { resource } : {}),
    ...authenticationOf(config),
  });
  return { ...record, tokens: { ...renewed, issuer } };
}
