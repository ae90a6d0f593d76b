// While a model answers, nobody here keeps what it was asked: conversations are long, and thousands of calls may wait.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createTransport, fromLanguageModel } from '@ai-agent/models';
import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { expect, onTestFinished, test, vi } from 'vitest';
import { requestOf, ways } from './support/calling.ts';
import { serve } from './support/raw-server.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Whether somebody still holds it, some time later. */
function watch(object: object): () => Promise<boolean> {
  const watched = new WeakRef(object);
  return async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    collectGarbage();
    return watched.deref() !== undefined;
  };
}

/** What nobody will ever answer, nobody would hold either. */
const answering: unknown[] = [];
const later = () => new Promise<never>((resolve) => answering.push(resolve));

test.each(ways)('the adapter does not keep the prompt it made: %s', async (_, context) => {
  let isHeld = async () => true;
  const answer = (options: LanguageModelV4CallOptions) => {
    isHeld = watch(options.prompt);
    return later();
  };
  const language: LanguageModelV4 = {
    specificationVersion: 'v4',
    provider: 'p',
    modelId: 'm',
    supportedUrls: {},
    doGenerate: answer,
    doStream: answer,
  };
  fromLanguageModel(language).call(requestOf(), context());
  expect(await isHeld()).toBe(false);
});

test('the transport does not keep the body, on a new connection or a kept one', async () => {
  let asked = 0;
  const { baseUrl } = await serve((_, response) => {
    if (++asked === 2) response.end();
  });
  const transport = createTransport();
  onTestFinished(() => transport.close());
  const ask = () => {
    // Only objects can be watched, so it is bytes.
    const body = new TextEncoder().encode('A long conversation.');
    const answer = transport.fetch(baseUrl, { method: 'POST', body });
    answer.catch(() => {});
    return { answer, isHeld: watch(body) };
  };
  const first = ask();
  await vi.waitFor(() => expect(asked).toBe(1));
  expect(await first.isHeld()).toBe(false);
  await (await ask().answer).text();
  const third = ask();
  await vi.waitFor(() => expect(asked).toBe(3));
  expect(await third.isHeld()).toBe(false);
});
