// The promise: `--embed NAME:PORT` serves chats alone, as the profile of that name says, and tells at the start what of it is not used.

import { createContext, runInContext } from 'node:vm';
import { expect, test } from 'vitest';
import { promptIn } from './support/calls.ts';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { served } from './support/served.ts';
import { serving } from './support/serving.ts';

const page = 'https://shop.example.com';

const profile = {
  allowedAgents: ['desk.ai'],
  concurrency: 2,
  corsOrigins: ['https://*.example.com'],
  rateLimit: { enabled: true, requestsPerMinute: 4, burstSize: 3 },
  auth: { tiers: { unknown: { allow: true } } },
  metrics: { enabled: true },
};

async function aTeam(embed: object) {
  const model = await served(promptIn);
  const cwd = await folderWith({
    'child.ai': agentFile(['models: local/m']),
    'desk.ai': agentFile(['models: local/m']),
    '.ai-agent.json': { ...(localProvider(model.baseUrl) as object), embed },
  });
  return { model, cwd };
}

const chatAt =
  (url: string) =>
  (body: object, headers: Record<string, string> = {}) =>
    fetch(`${url}/v1/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

const errorIn = async (reply: Response) => ((await reply.json()) as { error: string }).error;

test('the agents, pages and rate of its profile; its figures; and nothing else is there', async () => {
  const { cwd } = await aTeam({ site: profile });
  const words = 'child.ai desk.ai --embed site:0 --embed-concurrency 4 --verbose';
  const server = await serving(words.split(' '), { cwd });
  const { url } = server;
  expect((await fetch(`${url}/health`)).status).toBe(200);
  const chat = chatAt(url);
  const preflight = await fetch(`${url}/v1/chat`, {
    method: 'OPTIONS',
    headers: { origin: page, 'access-control-request-method': 'POST' },
  });
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, page]);
  const answered = await chat({ message: 'Hello.' }, { origin: page });
  expect(answered.headers.get('access-control-allow-origin')).toBe(page);
  const text = await answered.text();
  expect(text).toContain('"agentId":"desk"');
  expect([...text.matchAll(/"chunk":"([^"]*)"/g)].map(([, chunk]) => chunk).join('')).toBe('Hello.');
  expect(text).toMatch(/event: client[\s\S]*event: meta[\s\S]*event: report[\s\S]*"final":true[\s\S]*event: done/);
  const refused = [
    await chat({ message: 'Hello.', agentId: 'child' }, { origin: page }),
    await chat({ message: 'Hello.' }, { origin: 'https://evil.example' }),
    await fetch(`${url}/v1/desk?q=hi`),
    await fetch(`${url}/v1/sessions`),
  ];
  const replies = await Promise.all(refused.map(async (reply) => [reply.status, await errorIn(reply)]));
  expect(replies).toEqual([
    [404, 'agent_not_found'],
    [403, 'cors_rejected'],
    [404, 'not_found'],
    [404, 'not_found'],
  ]);
  for (let i = 0; i < 2; i++) await (await chat({ message: 'Hello.' }, { origin: page })).text();
  const late = await chat({ message: 'Hello.' }, { origin: page });
  expect([late.status, await errorIn(late), late.headers.has('retry-after')]).toEqual([429, 'rate_limited', true]);
  const figures = await (await fetch(`${url}/metrics`)).text();
  expect(figures).toContain(`embed_requests_total{agent="desk",origin="${page}",status="completed"} 3`);
  expect(figures).toContain('embed_errors_total{code="rate_limited"} 1');
  expect(figures).toContain('embed_sessions_active 0');
  for (const name of ['embed_session_duration_seconds_count 3', 'embed_report_chunks_total'])
    expect(figures).toContain(name);
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  expect(server.agents).toEqual(['desk']);
  expect(server.stderr()).toContain('cors_rejected');
});

test('a page chats with the class that it loads from there, and the talk goes on', async () => {
  const { model, cwd } = await aTeam({ site: {} });
  const { url } = await serving('desk.ai --embed site:0'.split(' '), { cwd });
  const script = await fetch(`${url}/ai-agent-public.js`);
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  const context = createContext({
    ...{ fetch, URL, TextEncoder, TextDecoderStream, AbortController, result: undefined },
    document: { currentScript: { src: `${url}/ai-agent-public.js` } },
  });
  runInContext(await script.text(), context);
  const told = (await runInContext(
    `(async () => {
      const events = [];
      const chat = new AiAgentChat({ agentId: 'desk', onEvent: ({ type }) => events.push(type) });
      const first = await chat.ask('One.');
      const second = await chat.ask('Two.');
      const wrong = await chat.ask('').catch((error) => error.message);
      const long = await chat.ask('x'.repeat(20000)).catch((error) => error.message);
      const lost = new AiAgentChat({ agentId: 'nobody' }).ask('One.').catch((error) => error.code);
      const away = new AiAgentChat({ endpoint: 'http://127.0.0.1:9/' }).ask('One.').catch((error) => error.code);
      const left = new AiAgentChat({ onEvent: ({ type }) => type === 'meta' && left.abort() });
      const aborted = left.ask('One.').catch((error) => error.code);
      return { first, second, wrong, long, lost: await lost, away: await away, aborted: await aborted, events: [...new Set(events)].sort(), same: first.sessionId === second.sessionId };
    })()`,
    context,
  )) as Record<string, unknown>;
  expect(told).toMatchObject({
    first: { success: true, report: 'One.', status: 'completed' },
    second: { success: true, status: 'completed' },
    same: true,
    wrong: 'There is nothing to ask.',
    long: 'The message is too long.',
    lost: 'agent_not_found',
    away: 'connection_lost',
    aborted: 'aborted',
    events: ['client', 'done', 'error', 'meta', 'metrics', 'report', 'turn'],
  });
  expect(JSON.stringify(model.requests.at(-1))).toMatch(/One\..*One\..*Two\./);
});

test('what is not used is said, and so is who may come', async () => {
  const { cwd } = await aTeam({ site: profile, plain: {} });
  const server = await serving('desk.ai --embed site:0 --embed plain:0'.split(' '), { cwd });
  server.child.kill('SIGTERM');
  await server.ended;
  expect(server.stderr()).toContain('embed.site.auth is not used: it is of another vendor.');
  expect(server.stderr()).toContain('embed.plain has no corsOrigins: pages of this machine alone may use it');
});

test.each([
  ['--embed site', /--embed must be a name in embed of .ai-agent.json and a port/],
  ['--embed site:99999', /--embed must be a name/],
  ['--embed other:0', /has no other; add "embed": \{ "other": \{\} \}, or name one that is there: site/],
])('%s is refused', async (words, problem) => {
  const { cwd } = await aTeam({ site: {} });
  const { code, stderr } = await run(['serve', 'desk.ai', ...words.split(' ')], { cwd });
  expect(code).not.toBe(0);
  expect(stderr).toMatch(problem);
});
