// What an entry may say about how its server is logged in to, and what is wrong with what it says.

import { AgentError, isObject, nearest } from '@ai-agent/core';
import type { SetUpProblem } from '../set-up.ts';

export interface OAuthConfig {
  /** Who we are, where we were registered by hand. @default we register ourselves */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** What is asked for. @default what the server says it needs */
  readonly scopes?: readonly string[] | string;
  /** With a person at a browser, or as ourselves. @default authorization_code */
  readonly grant?: 'authorization_code' | 'client_credentials';
  /** Signs who we are, in the place of a secret: PEM, PKCS #8. */
  readonly privateKey?: string;
  /** How it signs. @default RS256 */
  readonly algorithm?: string;
  /** A page that says who we are: its address is our name, where authorization servers take that. */
  readonly clientMetadataUrl?: string;
  /** The port of 127.0.0.1 that the browser comes back to. @default any that is free */
  readonly redirectPort?: number;
  /** The one authorization server that what is written here may go to. @default the one that the server names */
  readonly issuer?: string;
}

/** Paths begin at the entry: `['oauth', 'grant']`. */
export function checkOAuthConfig(value: unknown): readonly SetUpProblem[] {
  if (value === undefined || value === false) return [];
  if (!isObject(value)) return [invalid([], 'oauth is false, or an object such as { "scopes": ["read"] }.')];
  const keys = Object.keys(value).flatMap((key) => checkKey(key, value[key]));
  return keys.some(({ severity }) => severity === 'error') ? keys : [...keys, ...checkTogether(value)];
}

/** An entry whose variables are filled in. Throws `config-invalid`. */
export function readOAuthConfig(serverName: string, value: unknown): OAuthConfig {
  const problem = checkOAuthConfig(value).find(({ severity }) => severity === 'error');
  if (problem) throw new AgentError('config-invalid', `mcpServers.${serverName}: ${problem.message}`);
  const { redirectPort, ...rest } = (value ?? {}) as OAuthConfig;
  return redirectPort === undefined ? rest : { ...rest, redirectPort: Number(redirectPort) };
}

export function scopeOf({ scopes }: OAuthConfig): string | undefined {
  const text = typeof scopes === 'string' ? scopes : (scopes ?? []).join(' ');
  return text.trim() === '' ? undefined : text.trim();
}

const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const grants = ['authorization_code', 'client_credentials'];

const rules: Readonly<Record<string, (value: unknown) => string | undefined>> = {
  clientId: isText,
  clientSecret: isText,
  scopes: (value) =>
    typeof value === 'string' || (Array.isArray(value) && value.every((one) => typeof one === 'string'))
      ? undefined
      : 'is a list of texts, or one text with spaces between',
  grant: (value) => (grants.includes(value as string) ? undefined : `is ${grants.join(' or ')}`),
  privateKey: isText,
  algorithm: (value) => (algorithms.includes(value as string) ? undefined : `is one of ${algorithms.join(', ')}`),
  clientMetadataUrl: (value) =>
    typeof value === 'string' && isPage(value) ? undefined : 'is an https address with a path',
  redirectPort: (value) => (isPort(value) ? undefined : 'is a whole number between 1 and 65535'),
  issuer: (value) => (typeof value === 'string' && URL.canParse(value) ? undefined : 'is an address'),
};

function checkKey(key: string, value: unknown): readonly SetUpProblem[] {
  const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
  if (rule) {
    // What stands in a variable is known when a session fills it in.
    const wrong = typeof value === 'string' && value.includes('${') ? undefined : rule(value);
    return wrong === undefined ? [] : [invalid([key], `oauth.${key} ${wrong}.`)];
  }
  const known = Object.keys(rules);
  const meant = nearest(key, known);
  const message = `oauth has no ${JSON.stringify(key)}${meant ? `; did you mean ${meant}?` : `; it has ${known.join(', ')}.`}`;
  return [{ severity: 'warning', code: 'key-unknown', path: ['oauth', key], message }];
}

function checkTogether(value: Readonly<Record<string, unknown>>): readonly SetUpProblem[] {
  const { clientId, clientSecret, privateKey, grant } = value;
  if (grant === 'client_credentials' && (clientId === undefined || (clientSecret ?? privateKey) === undefined))
    return [invalid(['grant'], 'oauth.grant client_credentials needs clientId, and clientSecret or privateKey.')];
  if (clientId === undefined && (clientSecret ?? privateKey) !== undefined)
    return [invalid(['clientId'], 'oauth.clientId is missing: a secret or a key belongs to one.')];
  if (clientSecret !== undefined && privateKey !== undefined)
    return [invalid(['privateKey'], 'oauth has clientSecret and privateKey: give one of them.')];
  return [];
}

function invalid(path: readonly string[], message: string): SetUpProblem {
  return { severity: 'error', code: 'config-invalid', path: ['oauth', ...path], message };
}

function isText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? undefined : 'is a text';
}

function isPort(value: unknown): boolean {
  const port = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof port === 'number' && Number.isInteger(port) && port > 0 && port < 65_536;
}

function isPage(value: string): boolean {
  const url = URL.parse(value);
  return url?.protocol === 'https:' && url.pathname !== '/';
}
