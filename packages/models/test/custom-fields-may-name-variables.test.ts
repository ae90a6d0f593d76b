// A variable in `custom` is the session's own, like one in a key: filled in, apart for each session, and never shown.

import { createModels, type ProviderConfig } from '@ai-agent/models';
import { expect, onTestFinished, test } from 'vitest';
import { answering } from './support/answering.ts';
import { contextOf, failureOf, requestOf, variable } from './support/calling.ts';

test('filled in for each session', async () => {
  const { baseUrl, asked } = await answering();
  const custom = { providerOptions: { user: variable('TENANT'), metadata: { of: [`id ${variable('TENANT')}`] } } };
  const lab: ProviderConfig = { type: 'openai-compatible', baseUrl, custom };
  const models = createModels({ providers: { lab } });
  onTestFinished(() => models.close());
  const hidden: string[] = [];
  for (const TENANT of ['first-tenant', 'second-tenant']) {
    const model = await models.resolve('lab/m', { env: { TENANT }, hide: (value) => hidden.push(value) });
    await model.call(requestOf(), contextOf());
  }
  expect(asked.map(({ body }) => [body.user, body.metadata])).toEqual([
    ['first-tenant', { of: ['id first-tenant'] }],
    ['second-tenant', { of: ['id second-tenant'] }],
  ]);
  expect(hidden).toEqual(expect.arrayContaining(['first-tenant', 'second-tenant']));
  expect((await failureOf((async () => models.resolve('lab/m', { env: {} }))())).code).toBe('secret-missing');
});
