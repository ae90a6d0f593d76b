// The promise: where a contract names headers for its arguments, a call whose headers say something else is refused before it runs.

import { expect, onTestFinished, test } from 'vitest';
import { createApp, mcp } from '../src/index.ts';
import { agentOf } from './contract/people.ts';
import { hallOf } from './support/house.ts';

const properties = { region: { type: 'string', 'x-mcp-header': 'Region' }, count: { type: 'integer' } };

async function call(args: object, headers: Record<string, string>): Promise<readonly [number, number | undefined]> {
  const teller = agentOf('teller', () => 'ok', { input: { format: 'json', schema: { type: 'object', properties } } });
  const headend = mcp();
  onTestFinished(() => headend.close?.());
  const app = createApp(hallOf([teller]), [headend]);
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const response = await app.request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'teller',
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: { name: 'teller', arguments: args, _meta },
    }),
  });
  const { error, id } = (await response.json()) as { id: number; error?: { code: number } };
  expect(id).toBe(7);
  return [response.status, error?.code];
}

const refused = [400, -32_020];
const taken = [200, undefined];

test.each([
  ['the same', { region: 'north' }, { 'mcp-param-region': 'north' }, taken],
  ['the same in Base64', { region: 'Nörd' }, { 'mcp-param-region': '=?base64?TsO2cmQ=?=' }, taken],
  ['no argument, so no header is expected', { count: 1 }, {}, taken],
  ['another', { region: 'north' }, { 'mcp-param-region': 'south' }, refused],
  ['none', { region: 'north' }, {}, refused],
  ['Base64 without its padding', { region: 'Hello' }, { 'mcp-param-region': '=?base64?SGVsbG8?=' }, refused],
  ['Base64 that is none', { region: 'Hello' }, { 'mcp-param-region': '=?base64?SGVs!!!bG8=?=' }, refused],
])('%s', async (_name, args, headers, expected) => {
  expect(await call(args, headers as Record<string, string>)).toEqual(expected);
});
