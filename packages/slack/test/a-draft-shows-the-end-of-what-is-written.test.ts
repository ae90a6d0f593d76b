// The promise: while an answer is written, an edit shows its end, whatever is still open in it.
import { expect, it } from 'vitest';
import { toDraftBlocks } from '../src/blocks/draft.ts';
import { findRefusals, wordsOf } from './hold-to-limits.ts';

it('a short one is there from its beginning, as rich text only', () => {
  const blocks = toDraftBlocks('# Head\n\nA **b**\n\n---\n\n| a | b |\n| - | - |\n| 1 |');
  expect(blocks.map(({ type }) => type)).toEqual(['rich_text']);
  expect(wordsOf(blocks)).toBe('Head\nA b\n\n———| a | b |\n| - | - |\n| 1 |');
});

it('nothing is nothing', () => {
  expect(toDraftBlocks('')).toEqual([]);
  expect(toDraftBlocks(' \n')).toEqual([]);
});

it('a long one begins with an ellipsis, at a line, and ends where it ends', () => {
  const lines = Array.from({ length: 500 }, (_, i) => `Line number ${i}.`);
  const words = wordsOf(toDraftBlocks(lines.join('\n')));
  expect(words).toMatch(/^…\s+Line number \d+\.\nLine/);
  expect(words).toMatch(/Line number 499\.$/);
  expect(words.length).toBeLessThanOrEqual(2_900);
  const endless = wordsOf(toDraftBlocks('😀'.repeat(9_000)));
  expect(endless).toMatch(/^…\s+(?:😀)+$/u);
});

it('the middle of a long code block is code', () => {
  const blocks = toDraftBlocks(`Words.\n\n\`\`\`js\n${'const a = [1]; // *x*\n'.repeat(400)}`);
  expect(JSON.stringify(blocks)).toContain('rich_text_preformatted');
  expect(wordsOf(blocks)).not.toContain('```');
  expect(wordsOf(blocks)).toContain('const a = [1]; // *x*');
  const after = toDraftBlocks(`\`\`\`\n${'code\n'.repeat(900)}\`\`\`\n\n${'Words *again*.\n'.repeat(300)}`);
  expect(JSON.stringify(after)).not.toContain('rich_text_preformatted');
});

it.each([
  '```js\nconst a',
  'see [the docs](https://e.exam',
  'see [the',
  '**bold',
  '| a | b',
  '- ',
  '> ',
  '`code',
  '<div',
  '1. ',
])('what is still open does no harm: %s', (markdown) => {
  for (const text of [markdown, `${'word '.repeat(900)}\n\n${markdown}`]) {
    const blocks = toDraftBlocks(text);
    expect(blocks.length > 0 ? findRefusals({ text: 'draft', blocks }) : []).toEqual([]);
  }
});

it('much form and few words are shown as they are written', () => {
  const blocks = toDraftBlocks('**a** `b` '.repeat(300));
  expect(findRefusals({ text: 'draft', blocks })).toEqual([]);
  expect(JSON.stringify(blocks).length).toBeLessThan(5_000);
});
