import { setTimeout as sleep } from 'node:timers/promises';
import type { ToolContext } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { Calls } from '../src/mcp/calls.ts';
import { runServer } from './support/run-server.ts';
import { everything, started } from './support/servers.ts';
import { walkWith } from './support/walk-with.ts';

const call = (name: string) => ({ trace: { toolName: name } }) as unknown as ToolContext;
const nameOf = (context: ToolContext | undefined) => context?.trace.toolName;

test('a question that comes with a call is about that call; one from nowhere, about the latest that runs', async () => {
  const calls = new Calls();
  const asked: (string | null | undefined)[] = [];
  const ask = () => calls.answer(async (context) => asked.push(nameOf(context)));
  const { promise: first, resolve: endFirst } = Promise.withResolvers<void>();
  const { promise: second, resolve: endSecond } = Promise.withResolvers<void>();
  const one = calls.during(call('one'), () => first.then(ask));
  const two = calls.during(call('two'), () => second);
  await ask();
  endFirst();
  await one;
  endSecond();
  await two;
  await ask();
  expect(asked).toEqual(['two', 'one']);
});

test('a call is not over while a server is answered in its name', async () => {
  const calls = new Calls();
  const order: string[] = [];
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const { promise: done, resolve: end } = Promise.withResolvers<void>();
  const running = calls.during(call('one'), () => done).then(() => order.push('call'));
  void calls.answer(() => answered.then(() => order.push('answer')));
  end();
  await sleep(10);
  answer();
  await running;
  expect(order).toEqual(['answer', 'call']);
});

const script = ({ tools, messages }: { readonly tools: readonly unknown[]; readonly messages: readonly unknown[] }) => {
  if (tools.length === 0) return 'sampled words';
  const sample = (prompt: string) => ({ name: 'every__trigger-sampling-request', input: { prompt } });
  const echo = { name: 'every__echo', input: { message: 'x' } };
  return messages.length > 1 ? 'done' : { calls: [sample('one'), echo, sample('two'), echo] };
};

test('calls side by side on one stream do not end what was asked for another', async () => {
  const config = { ...started(everything), sampling: true };
  const { results } = await walkWith({ server: 'every', config, script });
  expect(results.map(({ isError }) => isError)).toEqual([false, false, false, false]);
});

test('over HTTP each call is asked on a stream of its own', async () => {
  const { port, stop } = await runServer(everything, () => ['streamableHttp'], /listening on port/);
  const config = { url: `http://127.0.0.1:${port}/mcp`, sampling: true };
  const { results, events } = await walkWith({ server: 'every', config, script }).finally(stop);
  expect(results.map(({ isError }) => isError)).toEqual([false, false, false, false]);
  const below = events.flatMap(({ type, trace }) => (type === 'session-start' && trace.parentId ? [trace.selfId] : []));
  expect(below.map((id) => id.replace(/^.*~/, '')).sort()).toEqual(['1.1.1', '1.3.1']);
});
