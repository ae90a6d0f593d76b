// The promise: where the line breaks after Slack has taken a message, it is found there and not sent again; where Slack has not taken it, it is.

import type { Clock } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { WebApi } from '../src/connect/web-api.ts';
import { AnswerStream } from '../src/run/answer-stream.ts';

const broken = Object.assign(new Error('other side closed'), { code: 'slack_webapi_request_error' });

test.each([
  ['in a thread', { thread_ts: '1.0' }, 'conversations.replies'],
  ['at the root of a channel', {}, 'conversations.history'],
])('Slack has it, %s', async (_, place, reads) => {
  const { api, called } = open((method) => {
    if (method === 'chat.postMessage') throw broken;
    return {
      ok: true,
      messages: [
        { ts: '2.0', text: 'hello', user: 'U1' },
        { ts: '3.0', text: 'hello', bot_id: 'B1' },
      ],
    };
  });
  expect(await api.call('chat.postMessage', { channel: 'C1', text: 'hello', ...place })).toMatchObject({ ts: '3.0' });
  expect(called).toEqual(['chat.postMessage', reads]);
});

test.each([
  ['Slack has it not', () => ({ ok: true, messages: [{ ts: '2.0', text: 'other', bot_id: 'B1' }] })],
  [
    'Slack does not say',
    () => {
      throw broken;
    },
  ],
])('%s', async (_, read) => {
  let posts = 0;
  const { api, called } = open((method) => {
    if (method !== 'chat.postMessage') return read();
    posts += 1;
    if (posts === 1) throw broken;
    return { ok: true, ts: '4.0' };
  });
  const posted = await api.call('chat.postMessage', { channel: 'C1', text: 'hello', thread_ts: '1.0' });
  expect(posted).toMatchObject({ ts: '4.0' });
  expect(called).toEqual(['chat.postMessage', 'conversations.replies', 'chat.postMessage']);
});

test('Slack has it in its own way: addresses in angles, emojis by name', async () => {
  const { api, called } = open((method) => {
    if (method === 'chat.postMessage') throw broken;
    const text = 'see <https://x.example/1> and <http://y.example|y.example> :white_check_mark: &amp; go';
    return { ok: true, messages: [{ ts: '3.0', text, bot_id: 'B1' }] };
  });
  const text = 'see https://x.example/1 and y.example ✅ &amp; go';
  expect(await api.call('chat.postMessage', { channel: 'C1', text, thread_ts: '1.0' })).toMatchObject({ ts: '3.0' });
  expect(called).toEqual(['chat.postMessage', 'conversations.replies']);
});

test('a stream of which nobody knows whether it began is not begun again', async () => {
  const { api, called } = open(() => {
    throw broken;
  });
  const stream = new AnswerStream({ api, thread: { team: 'T1', channel: 'C1', ts: '1.0' }, reader: 'U1' });
  for (const draft of ['Some words. ', 'Some words. And more. ']) await stream.show(draft);
  await stream.stop();
  expect(stream.isRefused).toBe(true);
  expect(called).toEqual(['chat.startStream']);
});

test('while Slack is short of time those that wait go one after the other', async () => {
  const busy = Object.assign(new Error('busy'), { code: 'slack_webapi_rate_limited_error', retryAfter: 1 });
  let [underWay, most, isRefusing] = [0, 0, true];
  const { api, called } = open(async () => {
    underWay++;
    most = Math.max(most, underWay);
    await Promise.resolve();
    underWay--;
    if (isRefusing) {
      isRefusing = false;
      throw busy;
    }
    return { ok: true };
  });
  expect(await api.attempt('chat.delete', { channel: 'C1', ts: 'first' })).toBeUndefined();
  const calls = Array.from({ length: 20 }, (_, ts) => api.call('chat.delete', { channel: 'C1', ts: String(ts) }));
  // What may be left out is, while others wait.
  expect(await api.attempt('chat.delete', { channel: 'C1', ts: 'last' })).toBeUndefined();
  await Promise.all(calls);
  expect([most, called.length]).toEqual([1, 21]);
});

test('a line that broke while another message was refused for its time: it is looked for all the same', async () => {
  const busy = Object.assign(new Error('busy'), { code: 'slack_webapi_rate_limited_error', retryAfter: 1 });
  const { api, called } = open(async (method) => {
    if (method !== 'chat.postMessage') return { ok: true, messages: [{ ts: '3.0', text: 'first', bot_id: 'B1' }] };
    const posts = called.filter((one) => one === 'chat.postMessage').length;
    if (posts === 1) {
      await new Promise(setImmediate);
      throw broken;
    }
    if (posts === 2) throw busy;
    return { ok: true, ts: '4.0' };
  });
  const [first, second] = await Promise.all(
    ['first', 'second'].map((text) => api.call('chat.postMessage', { channel: 'C1', text, thread_ts: '1.0' })),
  );
  expect([first?.ts, second?.ts]).toEqual(['3.0', '4.0']);
});

test('what Slack had no time for it has not taken: nothing is looked for', async () => {
  const busy = Object.assign(new Error('busy'), { code: 'slack_webapi_rate_limited_error', retryAfter: 1 });
  const { api, called } = open(() => {
    if (called.length === 1) throw busy;
    return { ok: true, ts: '4.0' };
  });
  await api.call('chat.postMessage', { channel: 'C1', text: 'hello', thread_ts: '1.0' });
  expect(called).toEqual(['chat.postMessage', 'chat.postMessage']);
});

function open(answer: (method: string) => object | Promise<object>) {
  const called: string[] = [];
  let now = 0;
  const clock = {
    now: () => now,
    monotonicMs: () => now,
    after: (ms: number, work: () => void) => {
      now += ms;
      queueMicrotask(work);
      return () => {};
    },
  } as unknown as Clock;
  const apiCall = async (method: string) => {
    called.push(method);
    return (await answer(method)) as never;
  };
  return { called, api: new WebApi({ client: { apiCall }, clock, strike: (args) => args }) };
}
