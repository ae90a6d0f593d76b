// The promise: the commands on the page ask the agent what they say when they are pasted into a shell.

import { execFileSync } from 'node:child_process';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { examples } from '../src/page/script/examples.ts';
import { appOf, documentOf, served } from './support/documented.ts';

interface Examples {
  curlGet(options: { needsKey: boolean; address: string; question: string }): string;
  curlPost(options: { needsKey: boolean; address: string; type: string; body: string }): string;
  exampleOf(document: unknown, schema: unknown): unknown;
}

const { curlGet, curlPost, exampleOf } = runInNewContext(`${examples}; ({ curlGet, curlPost, exampleOf })`) as Examples;

/** The words that curl would be given. */
function wordsOf(command: string): readonly string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  const env = { PATH: process.env.PATH ?? '', AI_AGENT_KEY: 'the key' };
  return execFileSync('/bin/sh', ['-c', script], { env }).toString().split('\0').slice(0, -1);
}

const words = [
  'Is it so?',
  `it's "quoted" $HOME \`id\` \\ !!`,
  '@/etc/passwd',
  'two\nlines & more; # no comment',
  '日本 😀 100% a=b',
  "'; rm -rf ~; '",
];

test.each(words)('%j is asked with an address', (question) => {
  const command = curlGet({ needsKey: false, address: 'http://localhost/v1/one', question });
  expect(wordsOf(command)).toEqual(['http://localhost/v1/one', '-G', '--data-urlencode', `q=${question}`]);
});

test.each(words)('%j is asked with a body', (body) => {
  const address = "http://localhost/v1/it's";
  const sent = wordsOf(curlPost({ needsKey: true, address, type: 'text/plain', body }));
  const headers = ['-H', 'Authorization: Bearer the key', '-H', 'Content-Type: text/plain'];
  // Raw: a body that begins with @ is no file.
  expect(sent).toEqual([address, ...headers, '--data-raw', body]);
});

test('the example of a schema is taken by an agent that has it', async () => {
  const schema = {
    type: 'object',
    required: ['city', 'days', 'who'],
    additionalProperties: false,
    properties: {
      city: { type: 'string', minLength: 6 },
      days: { type: 'integer', minimum: 2, maximum: 5 },
      unit: { enum: ['C', 'F'] },
      when: { type: ['string', 'null'], format: 'date' },
      tags: { type: 'array', items: { type: 'string' }, minItems: 1 },
      pair: { type: 'array', prefixItems: [{ type: 'number' }, { const: 'x' }] },
      who: { $ref: '#/$defs/person' },
      either: { oneOf: [{ type: 'boolean' }, { type: 'null' }] },
    },
    $defs: {
      person: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, boss: { $ref: '#/$defs/person' } },
      },
    },
  };
  const agents = [served('one', { input: { format: 'json', schema } })];
  const value = exampleOf(await documentOf(agents), { $ref: '#/components/schemas/one_input' });
  const body = JSON.stringify(value);
  const headers = { 'content-type': 'application/json' };
  const response = await appOf(agents).request('/v1/one', { method: 'POST', headers, body });
  expect([body, response.status, await response.text()]).toEqual([body, 200, 'Yes.']);
});
