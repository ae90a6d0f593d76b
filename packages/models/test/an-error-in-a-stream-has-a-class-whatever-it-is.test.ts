// What provider packages put into a stream as an error may be anything: each has a class, words, and no hang.

import { fromLanguageModel } from '@ai-agent/models';
import { APICallError, type LanguageModelV4, NoSuchModelError } from '@ai-sdk/provider';
import { createProviderStreamError } from '@ai-sdk/provider-utils';
import { expect, test } from 'vitest';
import { contextOf, failureOf, requestOf } from './support/calling.ts';
import { printedOf } from './support/printed.ts';

function modelThatFails(error: unknown): ReturnType<typeof fromLanguageModel> {
  const language: LanguageModelV4 = {
    specificationVersion: 'v4',
    provider: 'hand',
    modelId: 'made',
    supportedUrls: {},
    doGenerate: async () => {
      throw error;
    },
    doStream: async () => ({
      stream: ReadableStream.from([
        { type: 'text-delta' as const, id: '1', delta: 'Half' },
        { type: 'error' as const, error },
      ]),
    }),
  };
  return fromLanguageModel(language, { secrets: ['a-secret-key'] });
}

const ring: Record<string, unknown> = { type: 'overloaded_error' };
ring.self = ring;

const made = (type: string, fields: { readonly statusCode?: number; readonly code?: string } = {}) =>
  createProviderStreamError({ message: 'It is so: a-secret-key', type, ...fields, data: { key: 'a-secret-key' } });
const call = { url: 'http://x.test/?key=a-secret-key', requestBodyValues: { messages: ['private words'] } };

test.each([
  ['overloaded', made('overloaded_error', { statusCode: 529 }), 'model-unavailable', 529],
  ['too many', made('rate_limit_error', { statusCode: 429 }), 'model-rate-limit', 429],
  ['too many, by its type alone', made('rate_limit_error'), 'model-rate-limit', undefined],
  ['nothing paid', made('error', { code: 'insufficient_quota', statusCode: 429 }), 'model-quota', 429],
  ['a wrong key', made('authentication_error'), 'model-auth', undefined],
  ['one in another', { type: 'error', error: { type: 'rate_limit_error' } }, 'model-rate-limit', undefined],
  ['too long', made('request_too_large'), 'model-request-refused', undefined],
  ['too slow', made('timeout_error'), 'model-timeout', undefined],
  ['an error with a status', Object.assign(new Error('It is so'), { statusCode: 503 }), 'model-unavailable', 503],
  ['an error with a kind', Object.assign(new Error('It is so'), { type: 'permission_error' }), 'model-auth', undefined],
  ['an error and nothing else', new Error('It is so'), 'model-unavailable', undefined],
  ['an error without words', new Error(''), 'model-unavailable', undefined],
  ['a call that failed', new APICallError({ ...call, message: 'So', statusCode: 401 }), 'model-auth', 401],
  [
    'a reply that a package did not like',
    new APICallError({ ...call, message: 'No output', statusCode: 500, responseBody: { id: 1 } as unknown as string }),
    'model-reply-invalid',
    undefined,
  ],
  [
    'a model that is none',
    new NoSuchModelError({ modelId: 'x', modelType: 'languageModel' }),
    'model-request-refused',
    undefined,
  ],
  ['a text', 'It is so', 'model-unavailable', undefined],
  ['a ring', ring, 'model-unavailable', undefined],
  ['a list', ['It is so'], 'model-unavailable', undefined],
  ['nothing', undefined, 'model-unavailable', undefined],
  ['null', null, 'model-unavailable', undefined],
  ['a defect', new TypeError('x is not a function'), 'internal', undefined],
  [
    'a broken connection',
    Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }),
    'model-network',
    undefined,
  ],
])('%s', async (_, error, code, status) => {
  for (const context of [contextOf(), contextOf({ onDelta: () => {} })]) {
    const failure = await failureOf(modelThatFails(error).call(requestOf(), context));
    expect([failure.code, failure.status]).toEqual([code, status]);
    expect(failure.message).toMatch(/^hand\/made: \S/);
    const printed = printedOf(failure);
    for (const secret of ['a-secret-key', 'private words']) expect(printed).not.toContain(secret);
  }
});
