// An MCP server that wants tokens, and the authorization server that gives them: two ports of this machine, gone with the test.

import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export interface Protected {
  /** Of the MCP server. */
  readonly url: string;
  readonly issuer: string;
  /** What the authorization server was asked for: `register`, `authorize`, and the grants. */
  readonly asked: readonly string[];
  /** How often the authorization server was asked what it is. */
  readonly metadataReads: number;
  /** What it was asked for with. */
  readonly sent: readonly URLSearchParams[];
  /** Access tokens that were shown to the MCP server. */
  readonly shown: readonly string[];
  /** What the MCP server was asked for in the place of the authorization server. */
  readonly strayed: readonly string[];
  readonly ways: Ways;
  /** No access token from before is good any more. */
  revokeAccess(): void;
  /** No refresh token from before is good any more. */
  revokeRefresh(): void;
}

/** How they behave; changed while they run. */
export interface Ways {
  page: 'agrees' | 'denies' | 'mixes up' | 'says nothing';
  /** What a refused request for a token is told. */
  description: string;
  /** Runs before a refused request is answered. */
  beforeRefusal: () => Promise<void>;
  /** Whether tokens are good at the MCP server. */
  takesTokens: boolean;
  scopeNeeded: string | undefined;
  /** Answers in the place of the description that says who gives tokens. */
  describe: ((response: ServerResponse) => unknown) | undefined;
  /** Answers in the place of the authorization server, whatever token is asked for. */
  giveToken: ((response: ServerResponse) => unknown) | undefined;
}

export async function serveProtected(): Promise<Protected> {
  const asked: string[] = [];
  const sent: URLSearchParams[] = [];
  const shown: string[] = [];
  const strayed: string[] = [];
  const access = new Map<string, string>();
  const refresh = new Set<string>();
  const codes = new Map<string, URLSearchParams>();
  let metadataReads = 0;
  const ways: Ways = {
    page: 'agrees',
    description: 'that was no good',
    beforeRefusal: async () => {},
    takesTokens: true,
    scopeNeeded: undefined,
    describe: undefined,
    giveToken: undefined,
  };

  const give = (scope: string | null) => {
    const tokens = { access_token: `access-${randomUUID()}`, refresh_token: `refresh-${randomUUID()}` };
    access.set(tokens.access_token, scope ?? '');
    refresh.add(tokens.refresh_token);
    return { ...tokens, token_type: 'Bearer', expires_in: 3600, ...(scope === null ? {} : { scope }) };
  };

  const grant = (request: URLSearchParams): object | undefined => {
    const kind = request.get('grant_type');
    asked.push(kind ?? '');
    sent.push(request);
    if (kind === 'client_credentials') return request.get('client_secret') === 'wrong' ? undefined : give(null);
    if (kind === 'refresh_token') return refresh.delete(request.get('refresh_token') ?? '') ? give(null) : undefined;
    return redeem(request);
  };

  const redeem = (request: URLSearchParams): object | undefined => {
    const code = request.get('code') ?? '';
    const page = codes.get(code);
    codes.delete(code);
    return page && isProven(page, request) ? give(page.get('scope')) : undefined;
  };

  const authorize = (page: URLSearchParams, response: ServerResponse) => {
    asked.push('authorize');
    if (ways.page === 'says nothing') return response.end('Think about it.');
    const back = new URL(page.get('redirect_uri') ?? '');
    const code = randomUUID();
    codes.set(code, page);
    back.searchParams.set('state', ways.page === 'mixes up' ? 'another' : (page.get('state') ?? ''));
    if (ways.page === 'denies') {
      back.searchParams.set('error', 'access_denied');
      back.searchParams.set('error_description', 'The person\u001b[31m said no');
    } else back.searchParams.set('code', code);
    return response.writeHead(302, { location: back.href }).end();
  };

  const issuer = await listen(async (request, response, base) => {
    const { pathname, searchParams } = new URL(request.url ?? '', base);
    if (pathname === '/.well-known/oauth-authorization-server') {
      metadataReads++;
      return json(response, metadataOf(base));
    }
    if (pathname === '/authorize') return authorize(searchParams, response);
    if (pathname === '/register') {
      asked.push('register');
      const client = JSON.parse(await text(request));
      return json(response, { ...client, client_id: randomUUID(), client_secret: `secret-${randomUUID()}` }, 201);
    }
    if (pathname !== '/token') return json(response, {}, 404);
    if (ways.giveToken) return ways.giveToken(response);
    const given = grant(new URLSearchParams(await text(request)));
    if (given) return json(response, given);
    return json(response, { error: 'invalid_grant', error_description: ways.description }, 400);
  });

  const answerBeside: Answer = (request, response, base) => {
    const path = request.url ?? '';
    const isDescription = path.startsWith('/.well-known/oauth-protected-resource');
    if (isDescription && ways.describe) return ways.describe(response);
    if (isDescription) return json(response, { resource: `${base}/mcp`, authorization_servers: [issuer] });
    strayed.push(path);
    return json(response, {}, 404);
  };

  const url = await listen(async (request, response, base) => {
    if (request.url !== '/mcp') return answerBeside(request, response, base);
    const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
    if (token !== '') shown.push(token);
    const message = JSON.parse((await text(request)) || '{}');
    const metadata = `resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`;
    const scopes = access.get(token);
    if (scopes === undefined || !ways.takesTokens) {
      await ways.beforeRefusal();
      return json(response, {}, 401, { 'www-authenticate': `Bearer ${metadata}` });
    }
    const needed = message.method === 'tools/call' ? ways.scopeNeeded : undefined;
    if (needed !== undefined && !scopes.split(' ').includes(needed)) {
      const challenge = `Bearer error="insufficient_scope", scope="${needed}", ${metadata}`;
      return json(response, {}, 403, { 'www-authenticate': challenge });
    }
    return answerMessage(message, request, response);
  });

  return {
    url: `${url}/mcp`,
    issuer,
    asked,
    get metadataReads() {
      return metadataReads;
    },
    sent,
    shown,
    strayed,
    ways,
    revokeAccess: () => access.clear(),
    revokeRefresh: () => refresh.clear(),
  };
}

/** Whoever has the code also has what it was asked for with. */
function isProven(page: URLSearchParams, request: URLSearchParams): boolean {
  const verifier = request.get('code_verifier') ?? '';
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  return page.get('code_challenge') === challenge && page.get('redirect_uri') === request.get('redirect_uri');
}

function metadataOf(base: string): object {
  return {
    issuer: base,
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${base}/token`,
    registration_endpoint: `${base}/register`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['client_secret_post'],
  };
}

interface Said {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly name?: string };
}

function answerMessage(message: Said, request: IncomingMessage, response: ServerResponse): unknown {
  if (message.id === undefined) return response.writeHead(message.method === undefined ? 405 : 202).end();
  const results: Record<string, object> = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'protected', version: '1' },
    },
    'tools/list': {
      tools: [
        { name: 'look', inputSchema: { type: 'object' } },
        { name: 'tell', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
      ],
    },
    'tools/call': {
      content: [
        { type: 'text', text: message.params?.name === 'tell' ? `It is ${request.headers.authorization}.` : 'seen' },
      ],
    },
  };
  const result = results[message.method ?? ''];
  const error = { code: -32_601, message: 'Method not found' };
  return json(response, { jsonrpc: '2.0', id: message.id, ...(result ? { result } : { error }) });
}

type Answer = (request: IncomingMessage, response: ServerResponse, base: string) => unknown;

async function listen(answer: Answer): Promise<string> {
  let base = '';
  const server = createServer((request, response) => void answer(request, response, base));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return base;
}

function json(response: ServerResponse, value: object, status = 200, headers: Record<string, string> = {}): unknown {
  return response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}
