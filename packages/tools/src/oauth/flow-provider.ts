// What the SDK's flows are given, for one run of one of them: who we are, and a place for what they find.

import { AgentError } from '@ai-agent/core';
import {
  createPrivateKeyJwtAuth,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { type OAuthConfig, scopeOf } from './oauth-config.ts';

/** What a flow has found so far. */
export interface Findings {
  readonly discovery: OAuthDiscoveryState;
  client?: StoredOAuthClientInformation | undefined;
  tokens?: StoredOAuthTokens;
  verifier?: string;
  /** The page that a person has to see. */
  page?: URL;
}

export interface Flow {
  readonly config: OAuthConfig;
  /** Filled as the flow goes on. */
  readonly findings: Findings;
  /** Where a browser comes back to, and with what. @default no browser is needed */
  readonly redirect?: { readonly url: string; readonly state: string };
}

export function toFlowProvider({ config, findings, redirect }: Flow): OAuthClientProvider {
  const { clientMetadataUrl } = config;
  return {
    redirectUrl: redirect?.url,
    clientMetadata: toMetadata(config, findings.discovery, redirect?.url),
    ...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
    ...(redirect ? { state: () => redirect.state } : {}),
    ...clientOf(config, findings),
    ...authenticationOf(config),
    // Tokens are renewed elsewhere: a flow begins without any.
    tokens: () => undefined,
    saveTokens: (tokens) => void Object.assign(findings, { tokens }),
    redirectToAuthorization: (url) => void Object.assign(findings, { page: url }),
    saveCodeVerifier: (verifier) => void Object.assign(findings, { verifier }),
    codeVerifier() {
      if (findings.verifier !== undefined) return findings.verifier;
      throw new AgentError('internal', 'A login goes on that never began.');
    },
    discoveryState: () => findings.discovery,
    saveDiscoveryState: (state) => void Object.assign(findings, { discovery: state }),
    ...(redirect ? {} : { prepareTokenRequest: toTokenRequest }),
  };
}

/** Who we are, as it was written down; with the one authorization server that may hear it. */
export function configuredClient({
  clientId,
  clientSecret,
  issuer,
}: OAuthConfig): StoredOAuthClientInformation | undefined {
  if (clientId === undefined) return undefined;
  return {
    client_id: clientId,
    ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
    ...(issuer === undefined ? {} : { issuer }),
  };
}

/** A key that signs takes the place of a secret. */
export function authenticationOf(config: OAuthConfig): Pick<OAuthClientProvider, 'addClientAuthentication'> {
  const { clientId, privateKey, algorithm = 'RS256' } = config;
  if (clientId === undefined || privateKey === undefined) return {};
  const sign = createPrivateKeyJwtAuth({ issuer: clientId, subject: clientId, privateKey, alg: algorithm });
  return { addClientAuthentication: sign };
}

type ClientPart = Pick<OAuthClientProvider, 'clientInformation' | 'saveClientInformation'>;

/** Where nothing can be saved, the SDK never registers: what was written down is not replaced. */
function clientOf(config: OAuthConfig, findings: Findings): ClientPart {
  const configured = configuredClient(config);
  if (configured) return { clientInformation: () => configured };
  return {
    clientInformation: () => findings.client,
    saveClientInformation: (client) => void Object.assign(findings, { client }),
  };
}

function toMetadata(config: OAuthConfig, discovery: OAuthDiscoveryState, redirectUrl?: string): OAuthClientMetadata {
  const methods = discovery.authorizationServerMetadata?.token_endpoint_auth_methods_supported ?? [];
  const scope = scopeOf(config);
  return {
    client_name: 'ai-agent',
    redirect_uris: redirectUrl === undefined ? [] : [redirectUrl],
    grant_types: redirectUrl === undefined ? ['client_credentials'] : ['authorization_code', 'refresh_token'],
    ...(redirectUrl === undefined ? {} : { response_types: ['code'] }),
    // A program on somebody's machine keeps no secret from its owner; servers that insist give it one.
    ...(methods.includes('none') ? { token_endpoint_auth_method: 'none' } : {}),
    ...(scope === undefined ? {} : { scope }),
  };
}

function toTokenRequest(scope?: string): URLSearchParams {
  const request = new URLSearchParams({ grant_type: 'client_credentials' });
  if (scope !== undefined) request.set('scope', scope);
  return request;
}
