// The promise: docs/agents-as-models.md has the limits of the code, every route, every field that replies say of a run, and the
// very statuses and types that clients are told.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AgentError, type ErrorCode, toFailure } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { toAnthropicError } from '../src/headends/anthropic/anthropic-error.ts';
import { threadBounds } from '../src/headends/anthropic/threads.ts';
import { toOpenaiError } from '../src/headends/openai/openai-error.ts';
import { responseBounds } from '../src/headends/openai/responses/kept-responses.ts';
import { clientPauses } from '../src/pauses-apart.ts';
import { mostNoteBytes } from '../src/talk/noted.ts';
import { heldBackLetters } from '../src/talk/one-way-answer.ts';
import { extensionFields } from '../src/talk/read-extension.ts';
import { talkBounds } from '../src/talk/talk-memory.ts';
import { defaultTalkBytes } from '../src/talk/talk-routes.ts';
import { sessionHeader } from '../src/trace-headers.ts';

const root = join(import.meta.dirname, '../../..');
const page = read('docs/agents-as-models.md');

test('the limits on the page are those of the code', () => {
  const mebibytes = (bytes: number) => `${bytes / 2 ** 20} MiB`;
  const hours = (ms: number) => `for ${ms / 3_600_000} h`;
  const { conversations, callsForMs, questionsForMs } = talkBounds;
  expect(Object.fromEntries(rowsUnder('Limits'))).toEqual({
    'body of a request': mebibytes(defaultTalkBytes),
    'letters of an answer that wait, where there are tools': String(heldBackLetters),
    'conversations that wait for results of tools, of each API': `${conversations}, ${hours(callsForMs)}`,
    'what is kept of the sessions behind them': `${clientPauses.sessions}, ${mebibytes(clientPauses.bytes)}`,
    'conversations that wait for an answer, of each API, without a store': `${conversations}, ${hours(questionsForMs)}`,
    'responses that are kept, without a store': `${responseBounds.responses}, ${mebibytes(responseBounds.bytes)}, ${hours(responseBounds.forMs)}`,
    'threads that are kept, without a store': `${threadBounds.conversations}, ${mebibytes(threadBounds.bytes)}, ${hours(threadBounds.forMs)}`,
    'one of these in a store, about': mebibytes(mostNoteBytes),
  });
  expect(page).toContain(`when there are ${heldBackLetters} letters of it`);
});

test('whatever replies say of a run under our field is on the page', () => {
  const [, body = ''] =
    /^export interface About \{\n([\s\S]*?)^\}/m.exec(read('packages/server/src/talk/said.ts')) ?? [];
  const inCode = [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name = '']) => `\`${name}\``);
  expect(inCode).toHaveLength(5);
  const [, table = ''] = /^\| field of `ai_agent` \|.*\n\|.*\n((?:\|.*\n)+)/m.exec(page) ?? [];
  expect(table.match(/^\| (`\w+`)/gm)?.map((cell) => cell.slice(2))).toEqual(inCode);
});

test('whatever requests may say under our field is on the page, and the header', () => {
  const [fields = ''] = rowsUnder('What is read and what is not').find(([cell]) => cell?.includes('`ai_agent.')) ?? [];
  expect(fields.split(', ')).toEqual(extensionFields.map((name) => `\`ai_agent.${name}\``));
  expect(page.toLowerCase()).toContain(`\`${sessionHeader}\``);
});

test('every route of both headends is on the page', () => {
  const files = ['openai/models', 'openai/chat/chat', 'openai/responses/responses', 'anthropic/messages'];
  const code = files.map((file) => read(`packages/server/src/headends/${file}.ts`)).join('\n');
  const routes = [...code.matchAll(/'(\/v1\/[^']*)'/g)].map(([, route = '']) =>
    route.replace(/:\w+(?:\{.*\})?/, '<id>'),
  );
  // To cancel what runs in the background is refused, because nothing does.
  const wanted = new Set(routes.filter((route) => !route.endsWith('/cancel')));
  const told = rowsUnder('Routes').join('\n').replaceAll('<name>', '<id>');
  expect(wanted.size).toBe(8);
  expect([...wanted].filter((route) => !new RegExp(`${route}\``).test(told))).toEqual([]);
});

const errors = rowsUnder('Errors').map(([code = '', , ...told]) => [code.replaceAll('`', ''), told] as const);

test('there are errors', () => expect(errors.length).toBeGreaterThan(15));

test.each(errors)('%s is told as the page says', async (code, told) => {
  const failure = toFailure(new AgentError(code as ErrorCode, 'It went wrong.'));
  const [openai, anthropic] = [toOpenaiError(failure), toAnthropicError(failure)];
  const { error: ofOpenai } = (await openai.json()) as { error: { type: string; code: string | null } };
  const { error: ofAnthropic } = (await anthropic.json()) as { error: { type: string } };
  const said = [openai.status, ofOpenai.type, ofOpenai.code ?? '-', anthropic.status, ofAnthropic.type];
  expect(told.map((cell) => cell.replaceAll('`', ''))).toEqual(said.map(String));
});

/** The cells of all rows of a section, without those of heads. */
function rowsUnder(title: string): readonly (readonly string[])[] {
  const section = page.split(/^##+ /m).find((text) => text.startsWith(`${title}\n`)) ?? '';
  const lines = section.split('\n');
  const isRow = (line: string, i: number) =>
    line.startsWith('|') && !/^\| -/.test(line) && !/^\| -/.test(lines[i + 1] ?? '');
  return lines.filter(isRow).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n');
}
