// A login by a person: a page is shown, the browser comes back with a code, the code becomes tokens.

import type { AgentError, Clock } from '@ai-agent/core';
import {
  auth,
  type FetchLike,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import { authFailure, conceal } from './auth-failure.ts';
import { discover } from './discover.ts';
import { type Findings, toFlowProvider } from './flow-provider.ts';
import type { LoginRecord } from './login-record.ts';
import type { OAuthConfig } from './oauth-config.ts';
import { openRedirectListener, type RedirectListener } from './redirect-listener.ts';

export interface CodeFlow {
  readonly serverName: string;
  readonly serverUrl: string;
  readonly config: OAuthConfig;
  /** What an earlier login left. */
  readonly record: LoginRecord;
  readonly scope: string | undefined;
  readonly resourceMetadataUrl: URL | undefined;
  readonly fetch: FetchLike;
  readonly openPage: (url: string) => Promise<void>;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Hears of what is secret for as long as the login goes on. */
  readonly onSecret: (secret: string) => void;
}

export async function logInByCode(flow: CodeFlow): Promise<LoginRecord> {
  const discovery = await discover(flow);
  const listener = await listen(flow);
  try {
    const findings: Findings = { discovery, client: usableClient(flow, listener.url) };
    const provider = toFlowProvider({ config: flow.config, findings, redirect: listener });
    const options = {
      serverUrl: flow.serverUrl,
      fetchFn: flow.fetch,
      ...(flow.scope === undefined ? {} : { scope: flow.scope }),
      ...(flow.resourceMetadataUrl ? { resourceMetadataUrl: flow.resourceMetadataUrl } : {}),
    };
    await auth(provider, { ...options, forceReauthorization: true }).catch((error: unknown) => {
      throw offersLogin(flow, discovery) ? error : offersNone(flow.serverName);
    });
    if (findings.verifier !== undefined) flow.onSecret(findings.verifier);
    const page = toSafePage(flow, findings.page);
    const answer = await showAndWait(flow, page, listener);
    const code = readCode(flow, findings, answer);
    flow.onSecret(code);
    const iss = answer.get('iss');
    await auth(provider, { ...options, authorizationCode: code, ...(iss === null ? {} : { iss }) });
    return toRecord(findings, page, listener.url);
  } finally {
    await listener.close();
  }
}

/** Servers of the first revision that had logins say nothing about them: these are tried too. */
function offersLogin({ config }: CodeFlow, discovery: OAuthDiscoveryState): boolean {
  const isDescribed = discovery.authorizationServerMetadata ?? discovery.resourceMetadata;
  return isDescribed !== undefined || config.clientId !== undefined;
}

function offersNone(serverName: string): AgentError {
  return authFailure(
    `${serverName} wants to know who we are, and offers no login.`,
    `Give its key in headers of mcpServers.${serverName}: { "Authorization": "Bearer \${KEY}" }.`,
  );
}

/** The port that we are registered with, when it is free. */
async function listen(flow: CodeFlow): Promise<RedirectListener> {
  const { redirectPort } = flow.config;
  if (redirectPort !== undefined) return openRedirectListener({ ...flow, port: redirectPort });
  const remembered = Number(URL.parse(flow.record.redirectUrl ?? '')?.port ?? 0);
  if (remembered === 0) return openRedirectListener({ ...flow, port: 0 });
  return openRedirectListener({ ...flow, port: remembered }).catch(() => openRedirectListener({ ...flow, port: 0 }));
}

/** Many servers know only the address that was registered, with its port. */
function usableClient({ record, clock }: CodeFlow, redirectUrl: string): StoredOAuthClientInformation | undefined {
  if (record.redirectUrl !== redirectUrl) return undefined;
  const expiresAt = record.client?.client_secret_expires_at ?? 0;
  return expiresAt === 0 || expiresAt * 1000 > clock.now() ? record.client : undefined;
}

/** The address comes from a stranger, and whoever shows it may start programs by its scheme. */
function toSafePage({ serverName }: CodeFlow, page: URL | undefined): URL {
  if (page?.protocol === 'https:' || (page?.protocol === 'http:' && isThisMachine(page.hostname))) return page;
  throw authFailure(
    `The login page of ${serverName} is not safe to open: ${JSON.stringify(page?.origin ?? '')} is no https address.`,
    'Tell whoever runs the server.',
  );
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
}

async function showAndWait(flow: CodeFlow, page: URL, { answer }: RedirectListener): Promise<URLSearchParams> {
  const shown = flow.openPage(page.href).then(
    () => answer,
    () => Promise.reject(authFailure(`The login page of ${flow.serverName} could not be shown.`, noBrowser)),
  );
  return Promise.race([answer, shown]);
}

const noBrowser = 'Set BROWSER to a program that opens an address, then start it again.';

function readCode({ serverName }: CodeFlow, { discovery, verifier }: Findings, answer: URLSearchParams): string {
  const code = answer.get('code');
  if (code !== null && code !== '') return code;
  const metadata = discovery.authorizationServerMetadata;
  // In a mix-up the reason was written by the attacker: first it must be clear who wrote it.
  validateAuthorizationResponseIssuer({
    iss: answer.get('iss') ?? undefined,
    expectedIssuer: metadata?.issuer,
    issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
  });
  const said = [answer.get('error') ?? 'no code came back', answer.get('error_description')].filter(Boolean).join(': ');
  const reason = conceal(said, verifier === undefined ? [] : [verifier]);
  throw authFailure(
    `The login to ${serverName} was refused: ${printable(reason)}`,
    'Start it again, and agree to what is asked for on the page; or ask for less with oauth.scopes.',
  );
}

function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 300);
}

function toRecord({ tokens, client }: Findings, page: URL, redirectUrl: string): LoginRecord {
  const scope = page.searchParams.get('scope');
  return {
    ...(tokens ? { tokens: tokens as StoredOAuthTokens } : {}),
    ...(scope === null ? {} : { scope }),
    ...(client ? { client, redirectUrl } : {}),
  };
}
