// What is wrong with a REST tool or an OpenAPI document is said before anybody runs, with the place and the way out.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax under test.

import { describe, expect, test } from 'vitest';
import { checkOpenapiConfig } from '../src/openapi/openapi-config.ts';
import { checkRestConfig } from '../src/rest/rest-config.ts';
import { openTool } from './support/http-tools.ts';

const url = 'https://a.example/${parameters.q}';

describe('restTools', () => {
  const found = (config: Record<string, unknown>) =>
    checkRestConfig({ name: 'it', config }).map(({ severity, path }) => `${severity} ${path.join('.')}`);

  test.each<[Record<string, unknown>, readonly string[]]>([
    [{ url }, []],
    [{ url: '${BASE}/x' }, []],
    [{ url: 'https://${HOST}/x', headers: { Authorization: 'x' } }, []],
    [{}, ['error url']],
    [{ url: ' ' }, ['error url']],
    [{ url: 'ftp://a.example' }, ['error url']],
    [{ url: 'a.example/x' }, ['error url']],
    [{ url: 'https://a b/x' }, ['error url']],
    [{ url: 'https://a.example:99999/' }, ['error url']],
    [{ url: 'https://ann:pw@a.example/x' }, ['error url']],
    [{ url: 'https://${parameters.host}/', headers: { Authorization: 'Bearer x' } }, ['warning url']],
    [{ url: '${parameters.url}', headers: { 'X-Api-Key': 'x' } }, ['warning url']],
    [{ url: '${parameters.url}' }, []],
    [{ url: 'https://${parameters.host}/?api_key=abc' }, ['warning url']],
    [{ url: 'https://${parameters.host}/?k=${API_KEY}' }, ['warning url']],
    [{ url: 'https://${parameters.host}/${API_KEY}' }, ['warning url']],
    [{ url: 'https://${parameters.host}/?api_key=${parameters.key}&q=1' }, []],
    [{ url: 'https://${parameters.host}/', headers: { 'X-Me': '${API_KEY}' } }, ['warning url']],
    [{ url: 'https://${parameters.host}/', method: 'PUT', bodyTemplate: { a: ['${API_KEY}'] } }, ['warning url']],
    [{ url: 'https://${parameters.host}/', method: 'PUT', bodyTemplate: { a: { api_key: 'abc' } } }, ['warning url']],
    [{ url: 'https://${parameters.host}/', method: 'PUT', bodyTemplate: { a: '${REGION}' } }, []],
    [{ url: 'https://a.example/?k=${API_KEY}' }, []],
    [{ url, parametersSchema: [] }, ['error parametersSchema']],
    [{ url, parametersSchema: { type: 'string' } }, ['error parametersSchema']],
    [{ url, parametersSchema: { properties: { q: {} } } }, []],
    [{ url, parametersSchema: { properties: { p: {} } } }, ['warning url']],
    [{ url, parametersSchema: { properties: { q: {} } }, headers: { A: '${parameters.z}' } }, ['warning headers']],
    [
      {
        url,
        method: 'POST',
        parametersSchema: { properties: { q: {} } },
        bodyTemplate: { a: ['${parameters.q.r}', '${parameters.y}'] },
      },
      ['warning bodyTemplate'],
    ],
    [{ url, bodyTemplate: {} }, ['warning bodyTemplate']],
    [{ url, method: 'post', bodyTemplate: {} }, []],
    [{ url, method: 'post', bodyTemplate: '{"n": -${parameters.q}}' }, ['warning bodyTemplate']],
    [{ url, method: 'post', bodyTemplate: ' [1, ${parameters.q}' }, ['warning bodyTemplate']],
    [{ url, method: 'post', bodyTemplate: '{"n": ${parameters.q}, "m": ${COUNT}, "o": "${NAME} x"}' }, []],
    [{ url, method: 'post', bodyTemplate: 'hello ${parameters.q}' }, []],
    [{ url, method: 'post', bodyTemplate: '${parameters.q}' }, []],
    [{ url, method: 'post', bodyTemplate: '{no json', headers: { 'Content-Type': 'text/plain' } }, []],
    [
      { url, method: 'post', bodyTemplate: {}, headers: { 'content-Type': 'multipart/form-data' } },
      ['error headers.content-Type'],
    ],
  ])('%j', (config, problems) => {
    expect(found(config)).toEqual(problems);
  });

  test('what is wrong once the variables are known is said when it is opened', async () => {
    await expect(openTool({ url: '${BASE}/x' }, { env: { BASE: 'ftp://a.example' } })).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining('restTools.it'),
    });
  });
});

describe('openapiSpecs', () => {
  test.each<[Record<string, unknown>, readonly string[]]>([
    [{ spec: 'a.yaml' }, []],
    [{ spec: 'C:\\a.yaml', baseUrl: '${BASE}', auth: { key: '${KEY}' }, includeMethods: ['GET', 'post'] }, []],
    [{}, ['spec']],
    [{ spec: 'https://a.example/openapi.json' }, ['spec']],
    [{ spec: 'a', baseUrl: 'a.example' }, ['baseUrl']],
    [{ spec: 'a', baseUrl: 'https://a b' }, ['baseUrl']],
    [{ spec: 'a', baseUrl: 'https://ann:pw@a.example' }, ['baseUrl']],
    [{ spec: 'a', baseUrl: 'https://${HOST}/v1' }, []],
    [{ spec: 'a', auth: ['x'] }, ['auth']],
    [{ spec: 'a', auth: { key: { in: 'header' } } }, ['auth.key']],
    [{ spec: 'a', includeMethods: ['fetch'] }, ['includeMethods']],
  ])('%j', (config, problems) => {
    const found = checkOpenapiConfig({ name: 'it', config });
    expect(found.map(({ path }) => path.join('.'))).toEqual(problems);
    for (const { severity, message } of found) expect([severity, message.length > 20]).toEqual(['error', true]);
  });
});
