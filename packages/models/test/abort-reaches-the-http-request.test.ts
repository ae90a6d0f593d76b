// An abort closes the connection at once, at whatever moment it comes, and leaves no listener behind.

import { getEventListeners } from 'node:events';
import { AgentError, textOf } from '@ai-agent/core';
import { createTransport } from '@ai-agent/models';
import { scriptedHttpModel } from '@ai-agent/models/testing';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { contextOf, failureOf, modelAt, requestOf, ways } from './support/calling.ts';
import { serve } from './support/raw-server.ts';

describe.each(ways)('asked %s', (_, context) => {
  test('before it was sent: nothing is sent', async () => {
    const model = await scriptedHttpModel(['never']);
    onTestFinished(() => model.close());
    const failure = await failureOf(model.call(requestOf(), { ...context(), signal: AbortSignal.abort() }));
    expect(failure.code).toBe('cancelled');
    expect(model.requests).toHaveLength(0);
  });

  test('while the model thinks: the server sees the client go', async () => {
    const model = await scriptedHttpModel([{ text: 'never', until: new Promise(() => {}) }]);
    onTestFinished(() => model.close());
    const controller = new AbortController();
    const failing = failureOf(model.call(requestOf(), { ...context(), signal: controller.signal }));
    await vi.waitFor(() => expect(model.server.inFlight).toBe(1));
    controller.abort();
    expect((await failing).code).toBe('cancelled');
    await vi.waitFor(() => expect([model.server.aborted, model.server.inFlight]).toEqual([1, 0]));
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  test('in the middle of the body: the server sees the client go', async () => {
    let closed = 0;
    let begun = 0;
    const { baseUrl } = await serve((_, response) => {
      response.on('close', () => closed++);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"id":"1","choices":[{"index":0,"delta":{"content":"a"}}]}\n\n', () => begun++);
    });
    const controller = new AbortController();
    const model = await modelAt(baseUrl);
    const failing = failureOf(model.call(requestOf(), { ...context(), signal: controller.signal }));
    await vi.waitFor(() => expect(begun).toBe(1));
    expect(closed).toBe(0);
    controller.abort();
    expect((await failing).code).toBe('cancelled');
    await vi.waitFor(() => expect(closed).toBe(1));
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  test('a reason that has a code is kept', async () => {
    const model = await scriptedHttpModel([{ text: 'never', until: new Promise(() => {}) }]);
    onTestFinished(() => model.close());
    const controller = new AbortController();
    const failing = failureOf(model.call(requestOf(), { ...context(), signal: controller.signal }));
    await vi.waitFor(() => expect(model.server.inFlight).toBe(1));
    const reason = new AgentError('model-timeout', 'No reply in time.');
    controller.abort(reason);
    expect(await failing).toBe(reason);
  });

  test('a call that ends well leaves no listener on its signal', async () => {
    const model = await scriptedHttpModel(() => 'fine');
    onTestFinished(() => model.close());
    const { signal } = new AbortController();
    for (let i = 0; i < 20; i++) await model.call(requestOf(), { ...context(), signal });
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});

test('a listener that throws stops nothing: the reply is complete', async () => {
  const model = await scriptedHttpModel(['one two three']);
  onTestFinished(() => model.close());
  const onDelta = () => {
    throw new TypeError('The listener broke.');
  };
  expect(textOf((await model.call(requestOf(), contextOf({ onDelta }))).message)).toBe('one two three');
});

test('a stream that makes no sense is left, and its connection closed', async () => {
  let closed = 0;
  const { baseUrl } = await serve((_, response) => {
    response.on('close', () => closed++);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"id":\n\n');
  });
  const failure = await failureOf((await modelAt(baseUrl)).call(requestOf(), contextOf({ onDelta: () => {} })));
  expect(failure.code).toBe('model-reply-invalid');
  await vi.waitFor(() => expect(closed).toBe(1));
});

test.each(ways)('closing the transport breaks off what is under way: %s', async (_, context) => {
  let asked = 0;
  let closed = 0;
  const { baseUrl } = await serve((_, response) => {
    asked++;
    response.on('close', () => closed++);
  });
  const transport = createTransport();
  const model = await modelAt(baseUrl, { transport });
  const failing = failureOf(model.call(requestOf(), context()));
  await vi.waitFor(() => expect(asked).toBe(1));
  transport.close();
  expect(await failing).toMatchObject({ code: 'model-network', retryable: false });
  await vi.waitFor(() => expect(closed).toBe(1));
  const later = await failureOf(model.call(requestOf(), context()));
  expect(later).toMatchObject({ code: 'model-network', retryable: false });
  expect(later.message).toContain('closed');
});
