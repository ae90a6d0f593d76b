// The promise: docs/server.md works as written: its servers start, its requests are sent by curl, and what stands below them comes.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readApiSettings } from '@ai-agent/agents';
import { ask, loadAgent } from '@ai-agent/cli';
import { scriptedModel } from '@ai-agent/core/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FollowedPage } from './support/followed-page.ts';

const page = new FollowedPage('server.md');
const { folder, blocks } = page;

beforeAll(() => page.follow(), 60_000);
afterAll(() => page.end());

test('these servers, and requests to them', () => {
  expect([...page.ports.keys()].sort()).toEqual(['8080', '8081', '8082']);
  expect(page.commands.length).toBeGreaterThan(8);
});

test.each(page.shown)('%s', (_, block) => {
  expect(page.outputOf(block)?.trimEnd()).toBe(page.shownBelow(block)?.trimEnd());
});

test('those that show nothing do what the words beside them say', () => {
  const outputOf = (part: string) => page.outputOf(part) ?? '';
  expect(Object.keys(JSON.parse(outputOf('8080/v1\n')))).toEqual(['agents']);
  const events = [...outputOf('accept: text/event-stream').matchAll(/^event: (.*)$/gm)].map(([, event]) => event);
  expect([events[0], ...new Set(events.slice(1))]).toEqual(['session', 'text', 'outcome']);
  expect(readFileSync(join(folder, 'events.txt'), 'utf8')).toMatch(/^id: 1\nevent: session-start\n/);
  expect(readFileSync(join(folder, 'head.txt'), 'utf8')).toMatch(/^x-ai-agent-status: needs_user_input\r$/m);
  expect(outputOf('/answer')).toContain('Before ten.');
});

test('nothing of the clone is overwritten: its own configuration is left alone', () => {
  expect(existsSync(join(folder, '.ai-agent.json'))).toBe(false);
});

test('the section of all that can be said is one that a server takes', () => {
  const cwd = join(folder, 'whole');
  mkdirSync(cwd);
  const section = blocks.find(({ language }) => language === 'jsonc')?.text ?? '';
  writeFileSync(join(cwd, '.ai-agent.json'), section);
  const { settings, problems } = readApiSettings({ cwd, env: { NIGHT_SHIFT_HASH: `sha256:${'0'.repeat(64)}` } });
  expect(problems).toEqual([]);
  expect(Object.keys(settings.keys ?? {})).toEqual(['website', 'night-shift']);
  expect(settings).toMatchObject({ host: '0.0.0.0', concurrency: 20, graceMs: 60_000 });
});

test('a model that has the team as its tools calls them, with the key', async () => {
  const { key } = JSON.parse(readFileSync(join(folder, 'my-server/key.json'), 'utf8'));
  const { agent, session } = await loadAgent('front/front.ai', { cwd: folder, env: { RELEASE_DESK_KEY: key } });
  const calls = ['faq', 'note'].map((name) => ({
    name: `rest__release_call_${name}`,
    input: { body: { text: 'Version 2.4 adds offline mode.' } },
  }));
  const model = scriptedModel([{ calls }, 'done']);
  expect(await ask({ ...agent, model }, 'Go.', session)).toMatchObject({ status: 'completed', text: 'done' });
  expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(calls.map(({ name }) => name));
  const results = model.requests[1]?.messages.filter(({ role }) => role === 'tool').map((one) => JSON.stringify(one));
  expect(results?.join('').match(/2\.4 adds offline mode/g)?.length).toBeGreaterThanOrEqual(2);
});
