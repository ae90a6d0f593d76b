// The promise: how many parts a long result has is counted before anybody is paid for reading it: too many are searched, or said.

import { type Agent, defineTool, type ModelRequest } from '@ai-agent/core';
import type { Script } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { agent, walk } from './support/walk.ts';

const line = (bytes: number) =>
  defineTool({ name: 'big', inputSchema: { type: 'object' }, execute: () => `first ${'x'.repeat(bytes)} last` });
const limits = { contextWindowTokens: 8_192, contextBufferTokens: 1_024, maxToolOutputBytes: 4_096 };
const isReader = ({ system }: ModelRequest) => !system.startsWith('You are lead.');

/** Has one long line read, and answers with what came of that. */
function lead(bytes: number, mode: string, more: Partial<Agent> = {}) {
  const script: Script = (request) => {
    if (isReader(request)) return 'found';
    const last = request.messages.at(-1);
    const result = last?.role === 'tool' ? (last.content[0]?.text ?? '') : '';
    const handle = /kept as "([^"]+)"/.exec(result)?.[1];
    if (handle) return { calls: [{ name: 'tool_output', input: { handle, extract: 'the end', mode } }] };
    return result === '' ? { calls: [{ name: 'big' }] } : result;
  };
  return agent('lead', script, { tools: [line(bytes)], limits, ...more });
}

const readersOf = ({ model }: ReturnType<typeof lead>) => model.requests.filter(isReader).length;

describe('auto', () => {
  test('reads a line of few parts whole', async () => {
    const caller = lead(60_000, 'auto');
    expect((await walk(caller)).outcome.text).toMatch(
      /^found\n\n\[A model read all of the result for this, in \d parts/,
    );
  });

  test('searches in one of many', async () => {
    const caller = lead(1_200_000, 'auto');
    const { outcome } = await walk(caller);
    expect(outcome.text).toMatch(/^found\n\n\[A model searched the result/);
    expect(readersOf(caller)).toBe(1);
  });

  test('leaves half of the sessions that the tree may still have', async () => {
    const caller = lead(60_000, 'auto', { budget: { descendants: 6 } });
    const { outcome } = await walk(caller);
    expect(outcome.text).toMatch(/^found\n\n\[A model searched the result/);
    expect(readersOf(caller)).toBe(1);
  });

  test('reads as many as the agent says', async () => {
    const caller = lead(300_000, 'auto', { toolOutput: { maxChunks: 40 } });
    const { outcome } = await walk(caller);
    expect(outcome.text).toMatch(/A model read all of the result for this, in (1[7-9]|2\d) parts/);
  });
});

describe('full-chunked', () => {
  test.each([
    ['too many parts', 1_200_000, {}, /in \d{2,3} parts, .* and 16 is the most/],
    [
      'more than the tree has sessions for',
      60_000,
      { budget: { descendants: 6 } },
      /in \d parts, .* and 3 is the most/,
    ],
  ])('of %s: nobody is asked, and it is said what to do', async (_what, bytes, more, said) => {
    const caller = lead(bytes, 'full-chunked', more);
    const { outcome } = await walk(caller);
    expect(readersOf(caller)).toBe(0);
    expect(outcome.text).toMatch(said);
    expect(outcome.text).toContain('read-grep');
    expect(outcome.text).toMatch(/first x+[\s\S]*x+ last/);
    expect(Buffer.byteLength(outcome.text)).toBeLessThanOrEqual(4_096);
  });
});
