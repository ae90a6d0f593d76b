// The promise: docs/agents-as-models.md works as written: its servers start, its requests are sent by curl, its programs talk with
// agents through the clients that people have, and what stands below them comes.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FollowedPage } from './support/followed-page.ts';

const page = new FollowedPage('agents-as-models.md');

beforeAll(() => page.follow(), 120_000);
afterAll(() => page.end());

test('two servers, programs with every client, and commands that show what they print', () => {
  expect([...page.ports.keys()].sort()).toEqual(['8080', '8081']);
  const programs = page.blocks.filter(({ language }) => language === 'ts').map(({ text }) => text);
  for (const client of ['openai', '@anthropic-ai/sdk', 'ai', '@langchain/openai'])
    expect(programs.filter((text) => text.includes(` from '${client}'`))).toHaveLength(1);
  expect(page.shown).toHaveLength(13);
});

test.each(page.shown)('%s', (_, block) => {
  expect(page.outputOf(block)?.trimEnd()).toBe(page.shownBelow(block)?.trimEnd());
});

test('those that show nothing do what the words beside them say', () => {
  const activity = page.outputOf('"activity": true')?.split('\n') ?? [];
  expect(activity).toEqual(expect.arrayContaining(['faq has ended', 'note has ended']));
  const answer = JSON.parse(readFileSync(join(page.folder, 'answer.json'), 'utf8'));
  expect(answer.choices[0].message.content).toContain('Before ten.');
  const again = JSON.parse(readFileSync(join(page.folder, 'again.json'), 'utf8'));
  expect(again.messages).toHaveLength(3);
});
