// The promise: without a socket Slack posts to us: what is signed and fresh is taken, at once; everything else is not.

import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { defineAgent } from '@ai-agent/core';
import { expect, onTestFinished, test } from 'vitest';
import { TypingModel } from '../../web/test/support/page-server.ts';
import type { Slack } from '../src/index.ts';
import { wordsOf } from './support/answers.ts';
import { openSlackHouse } from './support/slack-house.ts';
import { ask } from './support/talk.ts';

const signingSecret = 'stand-in-signing-secret';

async function open() {
  const model = new TypingModel();
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.' });
  const settings = { appToken: undefined, signingSecret };
  return { ...(await openSlackHouse([agent], { streaming: false, settings })), model };
}

async function serve({ handle }: Slack): Promise<string> {
  const server = createServer(async (request, response) => {
    const init = { method: 'POST', headers: request.headers as Record<string, string>, duplex: 'half' } as const;
    const body = Readable.toWeb(request) as ReadableStream;
    const answer = await handle?.(new Request('http://localhost/slack/events', { ...init, body }));
    response.writeHead(answer?.status ?? 404, Object.fromEntries(answer?.headers ?? [])).end(await answer?.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/slack/events`;
}

function signed(body: string, { secret = signingSecret, agoS = 0, type = 'application/json' } = {}): Request {
  const timestamp = String(Math.floor(Date.now() / 1_000) - agoS);
  const signature = `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`;
  const headers = { 'content-type': type, 'x-slack-request-timestamp': timestamp, 'x-slack-signature': signature };
  return new Request('http://localhost/slack/events', { method: 'POST', body, headers });
}

test('messages, buttons and commands come over HTTP, and are acknowledged at once', async () => {
  const { slack, model, headend, told } = await open();
  await slack.useHttp(await serve(headend));
  expect(slack.sockets).toBe(0);
  const talk = await ask(slack, 'one');
  await model.next();
  const status = await talk.status();
  expect((await slack.press(status, 'Cancel', talk.user)).ackMs).toBeLessThan(1_000);
  expect(wordsOf(await talk.answer())).toMatch(/^Cancelled/);
  const { channel, user } = talk;
  expect((await slack.command({ command: '/ask', text: 'two', channel, user })).ackMs).toBeLessThan(1_000);
  (await model.next()).say('Second.').end();
  await slack.until(() => slack.messages(channel).some((one) => wordsOf(one).startsWith('Second.\n')), 'an answer');
  expect(told).toEqual([]);
});

test('what is not signed, old, too long or no request of Slack is not taken', async () => {
  const { headend } = await open();
  const statusOf = async (request: Request) => (await headend.handle?.(request))?.status;
  const body = JSON.stringify({ type: 'url_verification', challenge: 'c' });
  expect(await (await headend.handle?.(signed(body)))?.json()).toEqual({ challenge: 'c' });
  expect(await statusOf(signed(body, { secret: 'another' }))).toBe(401);
  expect(await statusOf(signed(body, { agoS: 600 }))).toBe(401);
  expect(await statusOf(new Request('http://localhost/', { method: 'POST', body }))).toBe(401);
  expect(await statusOf(signed('{"type":'))).toBe(400);
  expect(await statusOf(signed('x'.repeat(1024 * 1024 + 1)))).toBe(413);
  expect(await statusOf(signed('é'.repeat(600 * 1024)))).toBe(413);
  const form = 'application/x-www-form-urlencoded';
  expect(await statusOf(signed('ssl_check=1&token=x', { type: form }))).toBe(200);
});
