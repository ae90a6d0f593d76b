// Servers that say which models they have, each as its kind of provider does; they refuse every other key, and all else.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Lister {
  /** Its origin. */
  readonly url: string;
  /** Method and path of every request. */
  readonly asked: readonly string[];
}

export type Answering = (request: IncomingMessage, response: ServerResponse) => unknown;

export async function lister(answer: Answering): Promise<Lister> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

export function says(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
}

/** As OpenAI and most others do. */
export function chatList(key: string, models: readonly string[]): Answering {
  return ({ headers, url }, response) => {
    const given = headers.authorization?.replace('Bearer ', '') ?? '';
    if (given !== key)
      return says(response, 401, {
        error: { message: `Incorrect API key provided: ${given}`, code: 'invalid_api_key' },
      });
    if (url === '/v1/models') return says(response, 200, { object: 'list', data: models.map((id) => ({ id })) });
    return says(response, 404, { error: { message: 'The model does not exist', code: 'model_not_found' } });
  };
}

/** One model a page, and an alias that no page has. */
export function anthropicList(key: string, models: readonly string[], alias: string): Answering {
  return ({ headers, url = '' }, response) => {
    const error = (status: number, type: string, message: string) =>
      says(response, status, { type: 'error', error: { type, message } });
    if (headers['x-api-key'] !== key || headers['anthropic-version'] === undefined)
      return error(401, 'authentication_error', 'invalid x-api-key');
    const { pathname, searchParams } = new URL(url, 'http://x');
    if (pathname === `/v1/models/${alias}`) return says(response, 200, { type: 'model', id: models[0] });
    if (pathname !== '/v1/models') return error(404, 'not_found_error', 'model: not found');
    const at = models.indexOf(searchParams.get('after_id') ?? '') + 1;
    const data = models.slice(at, at + 1).map((id) => ({ type: 'model', id }));
    return says(response, 200, { data, has_more: at + 1 < models.length, last_id: models[at] });
  };
}

export function googleList(key: string, models: readonly string[]): Answering {
  return ({ headers, url = '' }, response) => {
    const error = (code: number, status: string, message: string, details: readonly object[] = []) =>
      says(response, code, { error: { code, status, message, details } });
    if (headers['x-goog-api-key'] !== key)
      return error(400, 'INVALID_ARGUMENT', 'API key not valid.', [{ reason: 'API_KEY_INVALID' }]);
    const { pathname, searchParams } = new URL(url, 'http://x');
    if (pathname !== '/v1beta/models') return error(404, 'NOT_FOUND', `${pathname} is not found`);
    const at = Number(searchParams.get('pageToken') ?? 0);
    const next = at + 1 < models.length ? { nextPageToken: String(at + 1) } : {};
    return says(response, 200, { models: models.slice(at, at + 1).map((id) => ({ name: `models/${id}` })), ...next });
  };
}

/** The list is for everybody, the key is looked at elsewhere. */
export function openrouterList(key: string, models: readonly string[]): Answering {
  return ({ headers, url }, response) => {
    if (url === '/api/v1/models') return says(response, 200, { data: models.map((id) => ({ id })) });
    if (url !== '/api/v1/key') return says(response, 404, { error: { code: 404, message: 'Not Found' } });
    return headers.authorization === `Bearer ${key}`
      ? says(response, 200, { data: { label: 'mine' } })
      : says(response, 401, { error: { code: 401, message: 'User not found.' } });
  };
}

export function ollamaList(models: readonly string[]): Answering {
  return ({ url }, response) =>
    url === '/api/tags'
      ? says(response, 200, { models: models.map((name) => ({ name, model: name })) })
      : says(response, 404, '404 page not found', { 'content-type': 'text/plain' });
}
