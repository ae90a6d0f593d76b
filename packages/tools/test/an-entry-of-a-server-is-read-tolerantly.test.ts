// Values may come out of variables, older spellings are known, and what cannot be used is named.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax under test.

import { isAgentError } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { checkServerConfig } from '../src/mcp/check-server-config.ts';
import { readServerConfig } from '../src/mcp/server-config.ts';

test.each([
  [{ command: 'node' }, 'stdio'],
  [{ url: 'https://example.com/mcp' }, 'http'],
  [{ url: 'https://example.com/sse' }, 'http'],
  [{ url: 'https://example.com/sse', type: 'sse' }, 'sse'],
  [{ url: 'wss://example.com/mcp' }, 'websocket'],
  [{ url: 'ws://example.com/mcp', type: 'remote' }, 'websocket'],
  [{ url: 'https://example.com/mcp', type: 'remote' }, 'http'],
  [{ command: 'node', type: 'local' }, 'stdio'],
] as const)('%j is %s', (config, type) => {
  expect(readServerConfig('a', config).type).toBe(type);
});

test('older spellings, and texts for anything', () => {
  const server = readServerConfig(
    'a',
    {
      command: ['npx', '-y', 'thing'],
      args: ['--port', 8080],
      environment: { OLD: 'x', BOTH: 'old' },
      env: { BOTH: 'new', NUMBER: 7 },
      enabled: 'false',
      shared: 'no',
      sampling: 'true',
      toolsAllowed: 'read_*, list_*',
      cache: '5m',
      toolsCache: { search: 'off', get: 1000 },
      requestTimeoutMs: '30s',
      cwd: 'work',
      roots: ['src', 'https://example.com/data'],
      healthProbe: 'listTools',
    },
    '/home/me',
  );
  expect(server).toMatchObject({
    command: 'npx',
    args: ['-y', 'thing', '--port', '8080'],
    env: { OLD: 'x', BOTH: 'new', NUMBER: '7' },
    isEnabled: false,
    isShared: false,
    maySample: true,
    toolsAllowed: ['read_*', 'list_*'],
    toolsDenied: [],
    cacheMs: 300_000,
    requestTimeoutMs: 30_000,
    startTimeoutMs: 60_000,
    cwd: '/home/me/work',
    roots: [{ uri: 'file:///home/me/src' }, { uri: 'https://example.com/data' }],
    healthProbe: 'listTools',
  });
  expect([...server.toolsCacheMs]).toEqual([
    ['search', undefined],
    ['get', 1000],
  ]);
});

test.each([
  ['node', 10_000],
  ['/usr/bin/docker', 60_000],
  ['C:\\nodejs\\npx.cmd', 60_000],
  ['uvx', 60_000],
])('%s has %i ms to start', (command, startTimeoutMs) => {
  expect(readServerConfig('a', { command }).startTimeoutMs).toBe(startTimeoutMs);
});

test.each([
  ['type', { command: 'a', type: 'carrier-pigeon' }],
  ['command', {}, 'url'],
  ['url', { url: 'not an address' }],
  ['url', { url: 'ftp://example.com' }],
  ['enabled', { command: 'a', enabled: 'perhaps' }],
  ['startTimeoutMs', { command: 'a', startTimeoutMs: 'soon' }],
  ['env.NAME', { command: 'a', env: { NAME: ['secret'] } }],
  ['healthProbe', { command: 'a', healthProbe: 'kick' }],
])('%s is named when it cannot be used', (key, config, other = key) => {
  let error: unknown;
  try {
    readServerConfig('mine', config);
  } catch (caught) {
    error = caught;
  }
  expect(isAgentError(error) && error.code).toBe('config-invalid');
  const { message } = error as Error;
  expect(message.includes(`mcpServers.mine.${key} `) || message.includes(`mcpServers.mine.${other} `)).toBe(true);
  expect(message).not.toContain('secret');
});

test.each([
  [{}, 'error', ['command']],
  [{ command: 'a', url: 'http://b' }, 'error', ['url']],
  [{ command: 'a', headers: { A: 'b' } }, 'warning', ['headers']],
  [{ url: 'http://b', env: { A: 'b' } }, 'warning', ['env']],
  [{ command: 'a', shared: true, sampling: true }, 'error', ['shared']],
  [{ command: 'a', shared: 'true', roots: ['x'] }, 'error', ['shared']],
  [{ command: 'a', startTimeoutMs: 'soon' }, 'error', ['startTimeoutMs']],
  [{ url: 'nowhere' }, 'error', ['url']],
  [{ type: 'http', command: 'a' }, 'error', ['type']],
] as const)('%j is wrong whatever the variables are', (config, severity, path) => {
  expect(checkServerConfig({ name: 'mine', config })).toMatchObject([{ severity, path, code: 'config-invalid' }]);
});

test.each([
  { command: '${CMD}', args: ['${ARG}'], startTimeoutMs: '${TIME}' },
  { url: 'https://${HOST}/mcp', headers: { Authorization: 'Bearer ${KEY}' } },
  { url: '${ADDRESS}', type: 'websocket' },
  { command: 'a', shared: false, sampling: true, roots: ['x'] },
])('nothing is wrong with %j', (config) => {
  expect(checkServerConfig({ name: 'mine', config })).toEqual([]);
});

test('a time that no timer can wait for is the longest that one can', () => {
  const { startTimeoutMs, requestTimeoutMs, cacheMs } = readServerConfig('a', {
    command: 'a',
    startTimeoutMs: '1y',
    requestTimeoutMs: '30d',
    cache: '30d',
  });
  expect([startTimeoutMs, requestTimeoutMs, cacheMs]).toEqual([2 ** 31 - 1, 2 ** 31 - 1, 2_592_000_000]);
});
