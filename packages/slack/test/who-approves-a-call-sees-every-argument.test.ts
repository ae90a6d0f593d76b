// The promise: who is asked to allow a call sees every argument of it, long ones by their beginning; what is not shown is counted, and the
// whole of it is there for a file.

import type { JsonObject, Question } from '@ai-agent/core';
import { describe, expect, it } from 'vitest';
import { isCallCut, toQuestionBlocks } from '../src/act/question-blocks.ts';
import { limits, ours } from '../src/blocks/limits.ts';
import { toMessages } from '../src/blocks/to-messages.ts';
import { findRefusals, wordsOf } from './hold-to-limits.ts';

const about = { session: 's', round: 0, asker: 'U1' };
const base = { type: 'approval', text: 'May I?', to: 'person', handle: 'h', agentName: 'a', sessionId: 's' } as const;
const asking = (args: JsonObject): Question => ({ ...base, call: { tool: 'mail__send', args } });
const shown = (args: JsonObject) => wordsOf(toQuestionBlocks(asking(args), about)[0]);
const kinds = (args: JsonObject) => toQuestionBlocks(asking(args), about).map(({ type }) => type);

describe('a short call', () => {
  it('is shown as it is, and there is no file', () => {
    const args = { to: 'Anna', list: [1, true, null, {}, []], deep: { a: { b: 'c\n"d"' } } };
    expect(shown(args)).toBe(`mail__send${JSON.stringify(args, null, 2)}`);
    expect(shown({})).toBe('mail__send{}');
    expect(kinds(args)).toEqual(['rich_text', 'actions']);
    expect([isCallCut(asking(args)), isCallCut({ ...base })]).toEqual([false, false]);
  });

  it('hides no sign', () => {
    expect(shown({ to: 'a\u202eb\u200bc\u{e0041}', 'k\u00ad': 1 })).toBe(
      'mail__send{\n  "to": "a\\u202eb\\u200bc\\udb40\\udc41",\n  "k\\u00ad": 1\n}',
    );
  });
});

describe('a long value', () => {
  const long = { body: 'x'.repeat(9_000), to: 'everybody', deep: { text: 'y'.repeat(9_000), isForced: true } };

  it('hides no other, at any depth, and says how much of it is left out', () => {
    const words = shown(long);
    expect(words).toMatch(/"body": "x{100,}"… \(\d,\d{3} more characters\),\n {2}"to": "everybody",/);
    expect(words).toMatch(/"text": "y{100,}"… \(\d,\d{3} more characters\),\n {4}"isForced": true/);
    const [, kept = '', left = ''] = /"(x+)"… \(([\d,]+) more/.exec(words) ?? [];
    expect(kept.length + Number(left.replace(',', ''))).toBe(9_000);
  });

  it('is whole in the file, and a note under it says so as long as it stands there', () => {
    expect(isCallCut(asking(long))).toBe(true);
    const [, note] = toQuestionBlocks(asking(long), about);
    expect(note).toMatchObject({ type: 'context' });
    expect(note?.block_id).toBeUndefined();
    expect(wordsOf(note)).toMatch(/call\.json/);
    expect(kinds(long)).toEqual(['rich_text', 'context', 'actions']);
  });

  it('is not split inside a character, and no key is shown by half', () => {
    for (const from of [0, 1])
      expect(shown({ a: `${'a'.repeat(from)}${'😀'.repeat(4_000)}` }).isWellFormed()).toBe(true);
    for (let before = 940; before < 1_010; before++)
      expect(
        shown({ a: `${'a '.repeat(before / 2)} ghp_${'0123456789'.repeat(4)} ${'b '.repeat(9_000)}` }),
      ).not.toContain('ghp_');
  });
});

describe('many arguments', () => {
  it('are all named as long as there is room, however little of their values is', () => {
    const args = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`key${i}`, `v${i}${'x'.repeat(5_000)}`]));
    for (let i = 0; i < 30; i++) expect(shown(args)).toContain(`"key${i}": "v${i}x`);
  });

  it('of one of them leave room for the others', () => {
    const args = {
      to: Array.from({ length: 500 }, (_, i) => `${i}@e.example`),
      subject: 'Hello',
      body: 'x'.repeat(500),
    };
    expect(shown(args)).toContain('"0@e.example"');
    expect(shown(args)).toMatch(/… \(\d+ more items not shown\)/);
    expect(shown(args)).toContain('"subject": "Hello"');
    expect(shown(args)).toContain('"body": "xxx');
  });

  it('are counted where there is no room', () => {
    const args = Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`key${i}`, i]));
    const [, count = ''] = /… \(([\d,]+) more keys not shown\)/.exec(shown(args)) ?? [];
    expect(shown(args).match(/"key\d+"/g)?.length).toBe(2_000 - Number(count.replace(',', '')));
    expect(isCallCut(asking(args))).toBe(true);
  });

  it('are counted at every depth', () => {
    const inner = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`k${i}`, { a: { b: [i] } }]));
    const words = shown({ inner, last: 'seen' });
    expect(words).toContain('"last": "seen"');
    expect(words).toMatch(/more keys not shown|keys not shown/);
  });
});

it('whatever the call is, the message is one that Slack takes', () => {
  const nested = (depth: number): JsonObject => (depth === 0 ? { end: 1 } : { inner: nested(depth - 1) });
  const calls: readonly JsonObject[] = [
    { a: 'x'.repeat(1_000_000) },
    { a: '\u0001'.repeat(100_000) },
    { ['\u0001'.repeat(5_000)]: '\u0001'.repeat(5_000), b: 1 },
    Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`${i}${'\u0001'.repeat(300)}`, '\u0001'.repeat(300)])),
    { list: Array.from({ length: 50_000 }, () => ['a', { b: 'c'.repeat(900) }]) },
    nested(500),
    JSON.parse('{"__proto__": {"a": 1}, "b": 2}') as JsonObject,
  ];
  for (const args of calls) {
    const tail = toQuestionBlocks(asking(args), about);
    for (const text of ['May I?', 'word '.repeat(2_150), 'word '.repeat(50_000)]) {
      const { messages } = toMessages(text, { tail });
      expect(messages.flatMap(findRefusals)).toEqual([]);
      expect(messages.at(-1)?.blocks.slice(-tail.length)).toEqual(tail);
    }
    expect(wordsOf(tail[0]).length).toBeLessThanOrEqual(ours.richText);
    expect(tail.length).toBeLessThan(limits.message.blocks);
  }
});
