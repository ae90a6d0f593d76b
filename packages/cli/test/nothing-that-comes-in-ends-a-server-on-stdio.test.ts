// The promise: whatever a client writes to a server on stdio, it is answered, told on stderr, and the next message is served as usual.

import { expect, test } from 'vitest';
import { agentFile, folderWith } from './support/command.ts';
import { initialize, initialized, onStdio, toolCall } from './support/on-stdio.ts';

async function aDesk(...args: readonly string[]) {
  const cwd = await folderWith({ 'desk.ai': agentFile(['models: offline/demo', 'description: Answers.']) });
  return onStdio(['serve', 'desk.ai', '--mcp', 'stdio', ...args], { cwd });
}

test('a request that nobody knows, before initialize, is an error; then the server is there', async () => {
  const server = await aDesk();
  server.send({ jsonrpc: '2.0', id: 1, method: 'no/such' });
  expect((await server.answer(1)).error).toMatchObject({ code: -32_601 });
  server.send(initialize);
  expect((await server.answer('hello')).result).toMatchObject({ protocolVersion: '2025-11-25' });
  server.send(initialized);
  server.send(toolCall(2, 'desk', 'hi'));
  expect((await server.answer(2)).result).toMatchObject({ content: [{ type: 'text' }] });
});

test.each([
  ['no JSON', 'GET / HTTP/1.1', null, -32_700],
  ['half of a message', '{"jsonrpc":"2.0","id":3,"method":"pi', null, -32_700],
  ['no JSON-RPC', '{"hello":"you"}', null, -32_600],
  ['another version of it', '{"jsonrpc":"1.0","id":7,"method":"ping"}', 7, -32_600],
  ['several in one', '[{"jsonrpc":"2.0","id":7,"method":"ping"}]', null, -32_600],
  ['a number', '42', null, -32_600],
  ['a null', 'null', null, -32_600],
  ['bytes that are no text', '\u0000\ufffd\u001b[2J', null, -32_700],
])('%s', async (_, line, id, code) => {
  const server = await aDesk();
  server.send(line);
  expect((await server.answer(id)).error).toMatchObject({ code, message: expect.any(String) });
  await expect.poll(server.stderr).toMatch(/MCP on stdin: .+\./);
  expect(server.stderr()).not.toContain('GET / HTTP');
  server.send(initialize);
  expect((await server.answer('hello')).result).toBeDefined();
});

test('an answer that nobody can read is not answered: that would be taken for the answer to a request of theirs', async () => {
  const server = await aDesk();
  server.send(initialize);
  await server.answer('hello');
  server.send({ jsonrpc: '2.0', id: 5, result: 'no object' });
  server.send({ jsonrpc: '2.0', id: 6, method: 'ping' });
  await server.answer(6);
  expect(server.lines()).toHaveLength(2);
  await expect.poll(server.stderr).toContain('MCP on stdin: a message is none of JSON-RPC 2.0.');
});

test('empty lines and carriage returns mean nothing', async () => {
  const server = await aDesk();
  server.send('');
  server.send(`  \r\n${JSON.stringify(initialize)}\r`);
  expect((await server.answer('hello')).result).toBeDefined();
  expect(server.lines()).toHaveLength(1);
});

test('a message of more than 10 MB is refused under its id, and the next one is read', async () => {
  const server = await aDesk();
  server.send(initialize);
  await server.answer('hello');
  const long = 'x'.repeat(11 * 2 ** 20);
  server.send(toolCall(8, 'desk', long));
  server.send({ method: 'tools/call', params: { name: 'desk', arguments: { text: long } }, jsonrpc: '2.0', id: 9 });
  const said = { code: -32_600, message: 'Invalid Request: a message is longer than 10485760 bytes.' };
  expect((await server.answer(8)).error).toEqual(said);
  expect((await server.answer(9)).error).toEqual(said);
  server.send(toolCall(10, 'desk', 'hi'));
  expect((await server.answer(10)).result).toMatchObject({ content: [{ type: 'text' }] });
});
