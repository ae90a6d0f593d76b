// Who gives tokens for a server: asked anew for every login, since servers move.

import {
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  type FetchLike,
  type OAuthDiscoveryState,
} from '@modelcontextprotocol/client';
import { isTrouble, Outage } from './auth-failure.ts';

export interface Discovery {
  readonly serverUrl: string;
  /** Where the server says that its description is. */
  readonly resourceMetadataUrl: URL | undefined;
  readonly fetch: FetchLike;
}

/** Throws when somebody is in trouble: who gives tokens is then not known, and nobody else is taken for them. */
export async function discover({ serverUrl, resourceMetadataUrl, fetch }: Discovery): Promise<OAuthDiscoveryState> {
  const fetchPlain = plainFetch(fetch);
  const resourceMetadata = await readDescription({ serverUrl, resourceMetadataUrl, fetch: fetchPlain });
  const [named] = resourceMetadata?.authorization_servers ?? [];
  const authorizationServerUrl = named ?? new URL('/', serverUrl).href;
  const authorizationServerMetadata = await discoverAuthorizationServerMetadata(authorizationServerUrl, {
    fetchFn: fetchPlain,
  });
  return {
    authorizationServerUrl,
    ...(authorizationServerMetadata ? { authorizationServerMetadata } : {}),
    ...(resourceMetadata ? { resourceMetadata } : {}),
    ...(resourceMetadataUrl ? { resourceMetadataUrl: resourceMetadataUrl.href } : {}),
  };
}

/** The SDK goes on without what it was refused, and a server that answers 502 or 429 has not said that it has none. */
function plainFetch(fetch: FetchLike): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (isTrouble(response.status))
      throw new Outage(`${new URL(url).origin} answers HTTP ${response.status}`, response.status);
    return response;
  };
}

/** Nothing when the server has none: only a plain no says so. The SDK's own search takes whatever goes wrong for a no. */
async function readDescription({ serverUrl, resourceMetadataUrl, fetch }: Discovery) {
  let status = 0;
  const watched: FetchLike = async (url, init) => {
    status = 0;
    const response = await fetch(url, init);
    status = response.status;
    return response;
  };
  try {
    const options = resourceMetadataUrl ? { resourceMetadataUrl } : {};
    return await discoverOAuthProtectedResourceMetadata(serverUrl, options, watched);
  } catch (error) {
    if (status === 0) throw error;
    if (status >= 400) return undefined;
    throw new Outage(`what ${new URL(serverUrl).origin} says of its login cannot be read (HTTP ${status})`, status);
  }
}
