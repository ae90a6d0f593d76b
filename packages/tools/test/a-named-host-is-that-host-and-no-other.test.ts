// What a configuration names is found however it is spelled, with the port that was meant, and nothing beside it is.

import { describe, expect, test } from 'vitest';
import { readNamed } from '../src/outbound/named-hosts.ts';

describe('an entry names', () => {
  test.each([
    ['https://Api.Example.com/v1?x=1', 'api.example.com', 443],
    ['http://api.example.com', 'api.example.com', 80],
    ['http://api.example.com:443', 'api.example.com', 443],
    ['ws://api.example.com', 'api.example.com', 80],
    ['wss://api.example.com/mcp', 'api.example.com', 443],
    ['api.example.com', 'api.example.com', 80],
    ['api.example.com', 'api.example.com', 443],
    ['api.example.com.', 'API.example.com', 443],
    ['api.example.com:8080', 'api.example.com.', 8080],
    ['api.example.com:80', 'api.example.com', 80],
    ['localhost:*', 'localhost', 12345],
    ['127.1:8080', '127.0.0.1', 8080],
    ['[::1]:8080', '::1', 8080],
    ['::1', '::1', 80],
    ['http://[0:0::1]:8080/', '::1', 8080],
    ['*.example.internal', 'a.example.internal', 443],
    ['*.example.internal:8080', 'a.b.example.internal', 8080],
    ['bücher.example', 'xn--bcher-kva.example', 443],
    [' spaced.example ', 'spaced.example', 80],
    ['10.*', '10.1.2.3', 443],
    ['192.168.*:8080', '192.168.0.7', 8080],
    ['*', 'any.example', 443],
    ['10a.*', '10a.example', 443],
  ])('%s: %s port %i', (entry, host, port) => {
    expect(readNamed([entry])(host, port)).toBe(true);
  });
});

describe('an entry does not name', () => {
  test.each([
    ['https://api.example.com', 'api.example.com', 80],
    ['http://api.example.com', 'api.example.com', 8080],
    ['api.example.com', 'api.example.com', 8080],
    ['api.example.com', 'evil-api.example.com', 443],
    ['api.example.com', 'api.example.com.evil.example', 443],
    ['api.example.com', 'apixexample.com', 443],
    ['*.example.internal', 'example.internal', 443],
    ['*.example.internal', 'a.example.internal.evil.example', 443],
    ['*.example.internal', 'a.examplexinternal', 443],
    ['localhost', '127.0.0.1', 80],
    ['10.*', '10.attacker.example', 443],
    ['192.168.*:*', '192.168.0.7.attacker.example', 8080],
    ['127.*', '127.0.0.1.attacker.example', 80],
    ['10.*', '11.0.0.1', 80],
    ['http://user@127.0.0.1/', 'user', 80],
  ])('%s: %s port %i', (entry, host, port) => {
    expect(readNamed([entry])(host, port)).toBe(false);
  });
});

test.each([
  '',
  ' ',
  'http://',
  'file:///etc',
  'two words',
  'host:port',
  'host:999999',
  'user@host',
  'host/path',
  '[::1',
])('%j names no host, and that is said', (entry) => {
  expect(() => readNamed([entry])).toThrow(expect.objectContaining({ code: 'config-invalid' }));
});

test('nothing is named by nothing', () => {
  expect(readNamed([])('localhost', 80)).toBe(false);
});
