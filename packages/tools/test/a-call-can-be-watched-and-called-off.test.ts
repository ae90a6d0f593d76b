// Progress comes back as text; a cancel reaches the server, and whoever waits is free at once.

import { expect, test } from 'vitest';
import { byHand, callOptions, eventually, good, never, openConnections, textOf } from './support/mcp.ts';

test('progress is told in words', async () => {
  const { server } = byHand();
  const { link } = await openConnections().lease(server, { signal: never() });
  const told: string[] = [];
  await link.call('progress', {}, callOptions({ onProgress: (text) => told.push(text) }));
  expect(told).toEqual(['3/10 a third', '4']);
});

test('progress of the newest revision as well', async () => {
  const { link } = await openConnections().lease(good(), { signal: never() });
  const told: string[] = [];
  await link.call('progress', {}, callOptions({ onProgress: (text) => told.push(text) }));
  expect(told).toEqual(['1/2']);
});

test('a cancel reaches the server, and the others go on', async () => {
  const { server, facts } = byHand();
  const { link } = await openConnections().lease(server, { signal: never() });
  const controller = new AbortController();
  const call = link.call('slow', {}, callOptions({ signal: controller.signal }));
  const other = link.call('echo', { delayMs: 300 }, callOptions());
  await eventually(() => facts().some(({ tool }) => tool === 'slow'));
  const reason = new Error('enough');
  controller.abort(reason);
  await expect(call).rejects.toBe(reason);
  await eventually(() => facts().some(({ event }) => event === 'cancelled'));
  expect(textOf(await other)).toBe('{"delayMs":300}');
  expect(facts().filter(({ event }) => event === 'start')).toHaveLength(1);
});

test('a call that is cancelled before it begins is not made', async () => {
  const { server, facts } = byHand();
  const { link } = await openConnections().lease(server, { signal: never() });
  await expect(link.call('echo', {}, callOptions({ signal: AbortSignal.abort('no') }))).rejects.toBe('no');
  await link.call('pid', {}, callOptions());
  expect(facts().some(({ tool }) => tool === 'echo')).toBe(false);
});

test('what a tool promised to give back is held to it', async () => {
  const { server } = byHand();
  const { link } = await openConnections().lease(server, { signal: never() });
  await link.tools(never());
  expect((await link.call('shape', { size: 3 }, callOptions())).structuredContent).toEqual({ size: 3 });
  const wrong = link.call('shape', { size: 'big' }, callOptions());
  await expect(wrong).rejects.toMatchObject({ code: 'tool-failed', class: 'tool' });
  await expect(wrong).rejects.toThrow(/does not match the tool's output schema/);
});

test('an error that the server answers with is the failure of the call', async () => {
  const { server } = byHand();
  const { link } = await openConnections().lease(server, { signal: never() });
  const call = link.call('nothing', {}, callOptions());
  await expect(call).rejects.toMatchObject({ code: 'tool-failed', class: 'tool', retryable: false });
  await expect(call).rejects.toThrow('The server hand failed at the call of nothing: Unknown tool: nothing');
});

test('what a server logs is heard', async () => {
  const heard: string[] = [];
  const { server } = byHand();
  await openConnections().lease(server, {
    signal: never(),
    answers: { log: (level, text) => heard.push(`${level} ${text}`) },
  });
  await eventually(() => heard.length > 0);
  expect(heard).toEqual(['warning by-hand: level is warning']);
});

test('what goes over the wire can be listened to, without keys', async () => {
  const heard: string[] = [];
  const { server } = byHand({ stderr: 'hello from stderr\n' }, { env: { API_KEY: 'my-own-key-123' } });
  const connections = openConnections({
    onTraffic: ({ server: name, direction, text }) => heard.push(`${name} ${direction} ${text}`),
  });
  const { link } = await connections.lease(server, { signal: never() });
  await link.call('environment', {}, callOptions());
  expect(heard).toContain('hand stderr hello from stderr');
  expect(heard.find((line) => line.startsWith('hand sent') && line.includes('tools/call'))).toContain('environment');
  expect(heard.find((line) => line.startsWith('hand received') && line.includes('API_KEY'))).toContain('***');
  expect(heard.join()).not.toContain('my-own-key-123');
});
