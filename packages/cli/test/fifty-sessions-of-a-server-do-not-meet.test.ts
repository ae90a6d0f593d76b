// The promise: fifty sessions at once on one server share its process and nothing else; fifty that differ in their variables and
// roots have a process each. Nobody gets the answer, the variables or the roots of another.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ask, mcpServer } from '@ai-agent/cli';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';

const server = join(import.meta.dirname, 'support/telling-server.mjs');
const fifty = Array.from({ length: 50 }, (_, i) => i);

interface Told {
  readonly pid: number;
  readonly word: string;
  readonly roots: readonly string[];
  readonly text: string;
}

/** A session that calls the tool three times side by side, twice over, with words of its own. */
async function session(who: number, config: Readonly<Record<string, unknown>>, word: string): Promise<readonly Told[]> {
  const texts = [0, 1].map((turn) => [0, 1, 2].map((i) => `${who}.${turn}.${i}`));
  const steps = texts.map((turn) => ({ calls: turn.map((text) => ({ name: 'telling__tell', input: { text } })) }));
  const model = scriptedModel([...steps, 'done']);
  const tools = [mcpServer('telling', { command: process.execPath, args: [server], ...config })];
  const outcome = await ask({ name: 'clerk', instructions: 'Ask.', model, tools }, 'Go.', {
    envOverlay: { WORD: word },
  });
  expect(outcome.status).toBe('completed');
  const results = (outcome.conversations[outcome.sessionId] ?? []).flatMap((message) =>
    message.role === 'tool' ? message.content : [],
  );
  const told = results.map(({ text }) => JSON.parse(text) as Told);
  expect(told.map(({ text }) => text)).toEqual(texts.flat());
  return told;
}

test('on one server: one process, and everybody the own answers', async () => {
  const told = await Promise.all(fifty.map((who) => session(who, {}, `word-${who}`)));
  expect(new Set(told.flat().map(({ pid }) => pid)).size).toBe(1);
  // Its set-up names no variable: it gets none.
  expect(new Set(told.flat().map(({ word }) => word))).toEqual(new Set(['']));
});

test('on their own: a process each, with the own variable and the own roots', async () => {
  const folderOf = (who: number) => join(import.meta.dirname, `root-${who}`);
  const own = (who: number) => ({ args: [server, 'roots'], env: { WORD: `$\{WORD}` }, roots: [folderOf(who)] });
  const told = await Promise.all(fifty.map((who) => session(who, own(who), `word-${who}`)));
  for (const who of fifty)
    for (const { word, roots } of told[who] ?? [])
      expect([word, roots]).toEqual([`word-${who}`, [pathToFileURL(folderOf(who)).href]]);
  expect(new Set(told.flat().map(({ pid }) => pid)).size).toBe(50);
  for (const answers of told) expect(new Set(answers.map(({ pid }) => pid)).size).toBe(1);
}, 60_000);
