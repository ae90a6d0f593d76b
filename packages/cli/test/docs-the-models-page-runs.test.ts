// The promise: docs/agents-as-models.md works as written: its servers start, its requests are sent by curl, its programs talk with
// agents through the clients that people have, and what stands below them comes.

import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FollowedPage } from './support/followed-page.ts';

const page = new FollowedPage('agents-as-models.md');
const text = readFileSync(join(import.meta.dirname, '../../../docs/agents-as-models.md'), 'utf8');

beforeAll(() => page.follow(), 120_000);
afterAll(() => page.end());

test('two servers, programs with every client, and commands that show what they print', () => {
  expect([...page.ports.keys()].sort()).toEqual(['8080', '8081']);
  const programs = page.blocks.filter(({ language }) => language === 'ts').map((block) => block.text);
  for (const client of ['openai', '@anthropic-ai/sdk', 'ai', '@langchain/openai'])
    expect(programs.filter((program) => program.includes(` from '${client}'`))).toHaveLength(1);
  expect(page.shown).toHaveLength(15);
});

test.each(page.shown)('%s', (_, block) => {
  expect(page.outputOf(block)?.trimEnd()).toBe(page.shownBelow(block)?.trimEnd());
});

test('what was asked goes on as the words beside it say', () => {
  const answer = JSON.parse(readFileSync(join(page.folder, 'answer.json'), 'utf8'));
  expect(answer.choices[0].message.content).toContain('Before ten.');
  const again = JSON.parse(readFileSync(join(page.folder, 'again.json'), 'utf8'));
  expect(again.messages).toHaveLength(3);
});

test.each([
  ['/chat/completions', 'note', {}],
  ['/v1/v1/messages', 'note', {}],
  ['/v1/chat/completions', 'gpt-4o', {}],
  ['/v1/embeddings', 'note', {}],
  ['/v1/chat/completions', 'note', { host: 'host.docker.internal' }],
])('what is seen at %s, asked for %s, is on the page', async (path, model, headers) => {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello.' }] });
  const { message } = await errorOf(path, headers, body);
  const [, section = ''] = /^### When it does not work\n([\s\S]*?)^## /m.exec(text) ?? [];
  const told = [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, sentence = '']) => sentence);
  expect(told.filter((sentence) => message.startsWith(sentence))).toHaveLength(1);
});

/** By a request that may name any host, as `fetch` cannot. */
function errorOf(path: string, headers: Readonly<Record<string, string>>, body: string): Promise<{ message: string }> {
  return new Promise((resolve, reject) => {
    const port = page.ports.get('8080') ?? '';
    const asked = request(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers }, async (reply) => {
      resolve(JSON.parse((await reply.toArray()).join('')).error);
    });
    asked.on('error', reject).end(body);
  });
}
