// What nobody knows is told and tolerated; everything that is known is taken without a word.

import { expect, test } from 'vitest';
import { problemsOf } from './config-folders.ts';

const file = 'cwd/.ai-agent.json';

test.each<[string, unknown, string]>([
  ['provders', { provders: {} }, 'did you mean providers?'],
  ['mcpServers.a.comand', { mcpServers: { a: { comand: 'x' } } }, 'did you mean command?'],
  ['restTools.a.streaming.mod', { restTools: { a: { streaming: { mod: 1 } } } }, 'did you mean mode?'],
  ['openapiSpecs.a.whatever', { openapiSpecs: { a: { whatever: 1 } } }, 'known are spec, baseUrl'],
  ['slack.routing.rules[0].chanels', { slack: { routing: { rules: [{ chanels: [] }] } } }, 'did you mean channels?'],
  ['queues.a.concurency', { queues: { a: { concurency: 1 } } }, 'did you mean concurrent?'],
  ['embed.page.rateLimit.burst', { embed: { page: { rateLimit: { burst: 1 } } } }, 'known are enabled'],
])('%s', async (key, config, words) => {
  const problems = await problemsOf({ [file]: config });
  expect(problems).toMatchObject([{ severity: 'warning', code: 'key-unknown', file, key }]);
  expect(problems[0]?.line).toBeGreaterThan(1);
  expect(problems[0]?.message).toContain(words);
});

test('providers and defaults are for others to check; a key of null is not there', async () => {
  const config = { providers: { a: { anything: 1 } }, defaults: { anything: [] }, unheardOf: null };
  expect(await problemsOf({ [file]: config })).toEqual([]);
});

test('every key of the reference is known', async () => {
  const otlp = { endpoint: 'http://x', timeoutMs: '2s' };
  const limits = { requestsPerMinute: 1, requestsPerMinutePerGuid: 1, requestsPerMinutePerIp: 1 };
  const route = {
    agent: 'a.ai',
    engage: ['mentions', 'channel-posts'],
    promptTemplates: { mention: 'x', dm: 'y', channelPost: 'z' },
  };
  const config = {
    $schema: 'x',
    providers: { openai: { apiKey: `\${OPENAI_API_KEY}` } },
    mcpServers: {
      'a-b_1': {
        ...{ type: 'stdio', command: 'npx', args: ['-y', 3, `\${X}`], env: { A: `\${A}`, B: 1 }, environment: {} },
        ...{ url: 'u', headers: { A: 'b' }, enabled: false, toolsAllowed: ['*'], toolsDenied: 'a, b', queue: 'q' },
        ...{
          cache: '5m',
          toolsCache: { find: 'off', list: 1000, read: false },
          shared: true,
          healthProbe: 'listTools',
        },
        ...{ requestTimeoutMs: 1000, toolSchemas: { find: {} } },
      },
      old: { type: 'local', command: ['npx', '-y', 'x'] },
      older: { type: 'remote', url: 'u' },
      socket: { type: 'websocket', url: 'u' },
    },
    restTools: {
      find: {
        ...{ description: 'd', method: 'post', url: `u/\${parameters.id}`, headers: {}, parametersSchema: {} },
        ...{ bodyTemplate: { a: [1, null] }, queue: 'q', cache: 0 },
        streaming: {
          ...{ mode: 'json-stream', linePrefix: 'data:', discriminatorField: 'type', doneValue: 'done' },
          ...{ answerField: 'answer', tokenValue: 'token', tokenField: 'content', timeoutMs: 1, maxBytes: 1 },
        },
      },
    },
    openapiSpecs: {
      x: { spec: 's', baseUrl: 'b', headers: {}, queue: 'q', includeMethods: ['get'], tagFilter: ['t'] },
    },
    queues: { default: { concurrent: 4 } },
    defaults: { temperature: 0.2 },
    accounting: { file: 'f' },
    pricing: {
      openai: { gpt: { unit: 'per_1k', currency: 'USD', prompt: 0.1, completion: 1, cacheRead: 0, cacheWrite: '1' } },
    },
    telemetry: {
      ...{
        enabled: `\${TELEMETRY}`,
        otlp,
        prometheus: { enabled: true, host: 'h', port: `\${PORT}` },
        labels: { a: 'b' },
      },
      traces: { enabled: true, sampler: 'ratio', ratio: 0.5 },
      logging: { formats: ['journald', 'json'], extra: ['otlp'], otlp },
    },
    cache: {
      ...{ backend: 'redis', maxEntries: 1, sqlite: { path: 'p' } },
      redis: { url: 'u', username: 'n', password: 'p', database: 0, keyPrefix: 'k' },
    },
    toolOutput: {
      enabled: true,
      storeDir: 'd',
      maxChunks: 1,
      overlapPercent: 10,
      avgLineBytesThreshold: 1,
      models: 'a/b',
    },
    slack: {
      ...{ enabled: true, botToken: `\${T}`, appToken: `\${T}`, signingSecret: 's', mentions: true, dms: false },
      ...{ updateIntervalMs: '2s', historyLimit: 100, historyCharsCap: 1, openerTone: 'busy' },
      ...{
        apiUrl: `\${T}`,
        key: 'k',
        admins: 'U1',
        threadReplies: true,
        streaming: 'auto',
        command: '/ask',
        pageUrl: 'https://p',
      },
      ...{ concurrency: 1, perUser: { requestsPerMinute: 1, concurrency: 1, budget: { turns: 1 } } },
      routing: {
        default: route,
        rules: [{ ...route, enabled: true, channels: ['#a*'], bots: false, contextPolicy: 'none' }],
        deny: [{ channels: '#b', engage: 'dms' }],
      },
    },
    api: {
      ...{ enabled: true, host: '0.0.0.0', port: 8080, cors: ['https://app.example'], hosts: ['api.example'] },
      ...{ concurrency: 10, waiting: 100, maxBodyBytes: 1000, mcpPrompts: false, graceMs: '30s' },
      keys: {
        desk: {
          hash: `sha256:${'0'.repeat(64)}`,
          agents: ['desk', 'support.*'],
          budget: { tokens: 1, costUsd: 0.1, time: '1m', timeMs: 1, turns: 1, toolCalls: 1, descendants: 1 },
          allowance: { tokens: 1, costUsd: 0.1, per: 'day' },
          requestsPerMinute: 1,
          concurrency: 1,
        },
      },
    },
    embed: {
      page: {
        ...{ allowedAgents: ['a'], concurrency: 1, corsOrigins: ['*'], metrics: { enabled: true, path: '/m' } },
        rateLimit: { enabled: true, requestsPerMinute: 1, burstSize: 1 },
        auth: {
          tiers: {
            netdataProperties: { origins: ['o'], rateLimit: limits },
            agentDashboards: { requireGuid: true, verifyGuidInCloud: false, rateLimit: limits },
            unknown: { allow: false, rateLimit: limits },
          },
          signedTokens: { enabled: true, secret: 's', ttlSeconds: 1 },
        },
      },
    },
    persistence: { sessionsDir: 'x' },
    agents: ['*.ai', 'team'],
    includeRoots: ['../shared'],
  };
  expect(await problemsOf({ [file]: config })).toEqual([]);
  expect(await problemsOf({ [file]: { agents: 'a.ai, team' } })).toEqual([]);
});

test('comments, trailing commas and a byte order mark are no trouble', async () => {
  const text = '\uFEFF// ours\n{ /* one */ "queues": { "a": { "concurrent": 1, }, }, // two\n}';
  expect(await problemsOf({ [file]: text })).toEqual([]);
});
