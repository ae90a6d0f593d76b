// A bad command, a process that leaves, a handshake that never comes: an error within the time to start, in the server's own words.

import { type AgentError, isAgentError } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { readServerConfig } from '../src/mcp/server-config.ts';
import { byHand, eventually, isAlive, never, openConnections, rude, temporaryFolder } from './support/mcp.ts';
import { listen } from './support/web-server.ts';

async function failureOf(work: Promise<unknown>): Promise<AgentError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isAgentError(error)) throw new Error(`No AgentError: ${String(error)}`);
  return error;
}

test('a command that does not exist is named', async () => {
  const server = readServerConfig('github', { command: 'no-such-command-anywhere', args: ['secret'] });
  const error = await failureOf(openConnections().lease(server, { signal: never() }));
  expect(error).toMatchObject({ code: 'tool-source-failed', class: 'config' });
  expect(error.message).toBe(
    'The server github cannot be started: the command "no-such-command-anywhere" was not found in its PATH.',
  );
  expect(error.remedy).toContain('mcpServers.github');
});

test('a folder that does not exist is not taken for a command that does not', async () => {
  const server = readServerConfig('github', { command: process.execPath, cwd: '/no/such/folder' });
  const error = await failureOf(openConnections().lease(server, { signal: never() }));
  expect(error.message).toContain('its folder "/no/such/folder" does not exist');
});

test('a file that may not be run', async () => {
  const server = readServerConfig('github', { command: temporaryFolder() });
  const error = await failureOf(openConnections().lease(server, { signal: never() }));
  expect(error).toMatchObject({ code: 'tool-source-failed', class: 'config' });
  expect(error.message).toContain('may not be run');
});

test('a process that leaves is quoted, on one line and without its secrets', async () => {
  const stderr = 'first\u001b[31m line\nno access for token-of-mine-1234\n';
  const { server } = byHand({ stderr, exitAtOnce: 3 }, { env: { MY_TOKEN: 'token-of-mine-1234' } });
  const error = await failureOf(openConnections().lease(server, { signal: never() }));
  expect(error).toMatchObject({ code: 'tool-source-failed', class: 'config' });
  expect(error.message).toContain('The server hand ended during its start with exit code 3 (command ');
  expect(error.message).toContain('It wrote: first [31m line no access for ***');
});

test('a handshake that never comes ends with the time to start, and so does the process', async () => {
  const settings = { discover: 'ignore', initialize: 'never', stderr: 'waiting for a sign', isStubborn: true };
  const { server, facts } = byHand(settings, { startTimeoutMs: 700 });
  const startedAt = Date.now();
  const error = await failureOf(openConnections().lease(server, { signal: never() }));
  expect(Date.now() - startedAt).toBeLessThan(1_500);
  expect(error).toMatchObject({ code: 'tool-source-failed', class: 'timeout' });
  expect(error.message).toContain('did not answer within 0.7 s');
  expect(error.message).toContain('waiting for a sign');
  await eventually(() => !isAlive(facts()[0]?.pid));
});

test.each(['line', 'stderr'])('a flood of %s ends without filling the memory', async (flood) => {
  const { server, facts } = byHand({ flood, discover: 'ignore', initialize: 'never' }, { startTimeoutMs: 1_500 });
  const before = process.memoryUsage.rss();
  const error = await failureOf(openConnections().lease(server, { signal: never() }));
  expect(process.memoryUsage.rss() - before).toBeLessThan(200 * 1024 * 1024);
  expect(error.message.length).toBeLessThan(2_000);
  expect(error.message).toContain(flood === 'line' ? 'more than 10 MB' : 'noise noise');
  await eventually(() => !isAlive(facts()[0]?.pid));
});

test('a cancel ends it at once, and leaves nothing', async () => {
  const { server, facts } = byHand({ discover: 'ignore', initialize: 'never', isStubborn: true });
  const controller = new AbortController();
  const leasing = openConnections().lease(server, { signal: controller.signal });
  await eventually(() => facts().length === 1);
  const reason = new Error('enough');
  controller.abort(reason);
  await expect(leasing).rejects.toBe(reason);
  await eventually(() => !isAlive(facts()[0]?.pid));
});

test('an address where nobody is', async () => {
  const server = readServerConfig('far', { url: 'http://127.0.0.1:9/mcp?key=abcdefghijkl' });
  const error = await failureOf(openConnections().lease(server, { signal: never() }));
  expect(error).toMatchObject({ code: 'tool-source-failed', class: 'network' });
  expect(error.message).toContain('http://127.0.0.1:9/mcp');
  expect(error.message).not.toContain('abcdefghijkl');
});

test('only so many start at once, and waiting is not start time', async () => {
  const connections = openConnections({ startsAtOnce: 1 });
  const servers = [1, 2, 3].map(() => byHand({ discover: 'ignore' }, { startTimeoutMs: 1_200 }));
  const startedAt = Date.now();
  await Promise.all(servers.map(({ server }) => connections.lease(server, { signal: never() })));
  // Each is silent for half of its time: one after the other they need longer than one of them has.
  expect(Date.now() - startedAt).toBeGreaterThan(1_700);
});

test.each([
  [
    'a version that nobody speaks',
    { protocolVersion: '1999-01-01', capabilities: {}, serverInfo: { name: 'x', version: '1' } },
  ],
  ['a greeting that is none', { hello: 1 }],
])('%s: it did not end, it cannot be used', async (_, greeting) => {
  const server = rude({ greeting, stderr: 'hello\n' });
  const error = await failureOf(openConnections().lease(server, { signal: never() }));
  expect(error).toMatchObject({ code: 'tool-source-failed', class: 'config' });
  expect(error.message).toMatch(/^The server rude cannot be used \(command .*\): .+\. It wrote: hello/);
  expect(error.message).not.toContain('SIGTERM');
});

test.each(['args', 'env'])('a NUL byte in %s does not show the rest of the value', async (key) => {
  const value = 'my-secret-value\0';
  const config = { command: process.execPath, [key]: key === 'args' ? [value] : { SOME: value } };
  const error = await failureOf(openConnections().lease(readServerConfig('github', config), { signal: never() }));
  expect(error).toMatchObject({ code: 'tool-source-failed', class: 'config' });
  expect(error.message).toContain('cannot be started');
  expect(`${error.message}${error.remedy}`).not.toContain('my-secret');
});

test.each([
  ['a page', 200, 'text/html', '<html>hello</html>'],
  ['broken JSON', 200, 'application/json', '{"jsonrpc":'],
  ['nothing', 204, undefined, undefined],
])('an address that answers with %s is not out of reach', async (_, status, type, body) => {
  const methods: string[] = [];
  const { port } = await listen((request, response) => {
    request.on('data', (chunk) => methods.push(JSON.parse(String(chunk)).method));
    request.on('end', () => response.writeHead(status, type === undefined ? {} : { 'content-type': type }).end(body));
  });
  const server = readServerConfig('far', { url: `http://127.0.0.1:${port}/mcp` });
  const error = await failureOf(openConnections().lease(server, { signal: never() }));
  expect(error).toMatchObject({ code: 'tool-source-failed', class: 'config' });
  expect(error.message).toContain(`The server far at http://127.0.0.1:${port}/mcp answers, and not as MCP: `);
  expect(methods).toEqual(['server/discover', 'initialize']);
});
