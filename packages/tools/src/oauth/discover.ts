// Who gives tokens for a server: asked anew for every login, since servers move.

import { discoverOAuthServerInfo, type FetchLike, type OAuthDiscoveryState } from '@modelcontextprotocol/client';

export interface Discovery {
  readonly serverUrl: string;
  /** Where the server says that its description is. */
  readonly resourceMetadataUrl: URL | undefined;
  readonly fetch: FetchLike;
}

export async function discover({ serverUrl, resourceMetadataUrl, fetch }: Discovery): Promise<OAuthDiscoveryState> {
  const found = await discoverOAuthServerInfo(serverUrl, {
    fetchFn: fetch,
    ...(resourceMetadataUrl ? { resourceMetadataUrl } : {}),
  });
  return { ...found, ...(resourceMetadataUrl ? { resourceMetadataUrl: resourceMetadataUrl.href } : {}) };
}
