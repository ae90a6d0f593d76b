// What a server was doing when it died is not done again, unless doing it twice is the same. The next call starts it again.

import { AgentError } from '@ai-agent/core';
import { FakeClock } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { byHand, callOptions, eventually, never, openConnections, textOf } from './support/mcp.ts';

test('a call in flight fails as network, with how the server ended, and is made once', async () => {
  const { server, facts } = byHand();
  const { link } = await openConnections().lease(server, { signal: never() });
  const call = link.call('die', {}, callOptions());
  await expect(call).rejects.toMatchObject({ code: 'tool-failed', class: 'network', retryable: true });
  await expect(call).rejects.toThrow(/ended with signal SIGKILL during the call of die\. It is not known whether/);
  await expect(call).rejects.toThrow('I am dying');
  expect(facts().filter(({ tool }) => tool === 'die')).toHaveLength(1);
});

test('the next call starts it again, and the list of tools is read anew', async () => {
  const { server, facts } = byHand({ isRecording: true });
  const { link } = await openConnections().lease(server, { signal: never() });
  await link.tools(never());
  await link.call('die', {}, callOptions()).catch(() => {});
  expect(textOf(await link.call('echo', { a: 1 }, callOptions()))).toBe('{"a":1}');
  expect(facts().filter(({ event }) => event === 'start')).toHaveLength(2);
  expect(facts().filter(({ method }) => method === 'tools/list')).toHaveLength(2);
});

test('a call that may be repeated is, once', async () => {
  const { server, facts } = byHand();
  const { link } = await openConnections().lease(server, { signal: never() });
  expect(textOf(await link.call('die', { times: 1 }, callOptions({ isRepeatable: true })))).toBe('alive after 2');
  expect(facts().filter(({ tool }) => tool === 'die')).toHaveLength(2);
  await expect(link.call('die', {}, callOptions({ isRepeatable: true }))).rejects.toMatchObject({ class: 'network' });
  expect(facts().filter(({ tool }) => tool === 'die')).toHaveLength(4);
});

test('a server that dies again and again is not started in a hot loop', async () => {
  const clock = new FakeClock();
  const { server, facts } = byHand();
  const { link } = await openConnections({ clock }).lease(server, { signal: never() });
  const starts = () => facts().filter(({ event }) => event === 'start').length;
  const die = () => link.call('die', {}, callOptions()).catch((error: Error) => error.message);
  await die();
  expect(await die()).toContain('SIGKILL');
  expect(starts()).toBe(2);

  const third = die();
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(starts()).toBe(2);
  clock.advance(1_000);
  expect(await third).toContain('SIGKILL');
  expect(starts()).toBe(3);

  for (const waitMs of [2_000, 5_000]) {
    const next = die();
    await new Promise((resolve) => setTimeout(resolve, 50));
    clock.advance(waitMs);
    expect(await next).toContain('SIGKILL');
  }
  // Ten seconds are as long as a call waits.
  const late = die();
  await new Promise((resolve) => setTimeout(resolve, 50));
  clock.advance(9_999);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(starts()).toBe(5);
  clock.advance(1);
  await late;
});

test('a server that floods in a call is ended, and memory stays bounded', async () => {
  const { server } = byHand();
  const { link } = await openConnections().lease(server, { signal: never() });
  const before = process.memoryUsage.rss();
  const call = link.call('flood', {}, callOptions());
  await expect(call).rejects.toMatchObject({ class: 'network' });
  await expect(call).rejects.toThrow('more than 10 MB');
  expect(process.memoryUsage.rss() - before).toBeLessThan(200 * 1024 * 1024);
  expect(textOf(await link.call('echo', {}, callOptions()))).toBe('{}');
});

test('a server that answers nothing after a call timed out is started again', async () => {
  const late = new AgentError('tool-timeout', 'too late');
  const ways = ['ping', 'listTools'].map(async (healthProbe) => {
    const { server, facts } = byHand({}, { healthProbe });
    const { link } = await openConnections().lease(server, { signal: never() });
    const controller = new AbortController();
    const call = link.call('hang', {}, callOptions({ signal: controller.signal }));
    await eventually(() => facts().some(({ tool }) => tool === 'hang'));
    controller.abort(late);
    await expect(call).rejects.toBe(late);
    expect(textOf(await link.call('echo', {}, callOptions()))).toBe('{}');
    expect(facts().filter(({ event }) => event === 'start')).toHaveLength(2);
  });
  await Promise.all(ways);
});

test('one that is only slow is not', async () => {
  const { server, facts } = byHand({}, { requestTimeoutMs: 300 });
  const { link } = await openConnections().lease(server, { signal: never() });
  await expect(link.call('slow', {}, callOptions())).rejects.toMatchObject({ code: 'tool-timeout', class: 'timeout' });
  await eventually(() => facts().some(({ event }) => event === 'cancelled'));
  expect(textOf(await link.call('echo', {}, callOptions()))).toBe('{}');
  expect(facts().filter(({ event }) => event === 'start')).toHaveLength(1);
});
