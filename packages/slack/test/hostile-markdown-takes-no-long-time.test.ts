// The promise: however long or crooked a text is, it becomes messages in bounded time, and nothing is thrown.
import { expect, it } from 'vitest';
import { toDraftBlocks } from '../src/blocks/draft.ts';
import { toMessages } from '../src/blocks/to-messages.ts';
import { findRefusals, wordsOf } from './hold-to-limits.ts';

const size = 100_000;
const fill = (text: string) => text.repeat(Math.ceil(size / text.length));

it.each<readonly [string, string]>([
  ['a megabyte of words', 'word '.repeat(200_000)],
  ['a megabyte of one word', 'a'.repeat(1_000_000)],
  ['quotes in quotes', fill('>')],
  ['quotes in quotes, line by line', fill(`${'>'.repeat(30)} a\n`)],
  ['lists in lists', fill('- ')],
  ['lists in lists, line by line', Array.from({ length: 400 }, (_, i) => `${' '.repeat(i * 2)}- a`).join('\n')],
  ['brackets', fill('[')],
  ['brackets that close', '['.repeat(size / 2) + ']'.repeat(size / 2)],
  ['brackets in paragraphs', fill(`${'['.repeat(900)}${']'.repeat(900)}\n\n`)],
  ['stars', `${fill('*')}a${fill('*')}`],
  ['stars in paragraphs', fill(`${'*a_ '.repeat(700)}\n\n`)],
  ['stars after a fence that is none', `<div>\n\`\`\`\n\n${fill('*a_ ')}`],
  ['ticks', Array.from({ length: 400 }, (_, i) => `${'`'.repeat(i)}a`).join('')],
  ['tags', fill('<a ')],
  ['a wide table', `${fill('|a')}\n${fill('|-')}`],
  ['a wide table with short rows', `${'a|'.repeat(16_000)}\n${'-|'.repeat(16_000)}\n${'a\n'.repeat(16_000)}`],
  ['quotes apart', fill('> a\n\n')],
  ['quotes apart, of nothing', fill('>\n\n')],
  ['quotes apart, of headings', fill('> # a\n\n')],
  ['quotes apart, of two lines', fill('> a\nb\n\n')],
  ['quotes apart, in footnotes', fill('[^1]: > a\n\n')],
  ['quotes apart, beside a name', `[a]: b\n\n${fill('> a\n\n')}`],
  ['quotes far apart', `[a]: b\n\n${fill(`> a\n${'\n'.repeat(20)}`)}`],
  ['quotes in quotes, apart', fill('> > a\n\n')],
  ['quotes and lists', fill('> a\n- b\n')],
  ['fences in quotes', fill('> ```\n\n')],
  ['headings by lines under them', fill('a\n---\n')],
  ['lists apart', `[a]: b\n\n${fill('- a\n\n')}`],
  ['lists in lists, apart', `- a\n\n${fill('  - b\n\n    - c\n\n')}`],
  ['lists of two kinds', `[a]: b\n\n${fill('- a\n* b\n')}`],
  ['a long label', `[${fill('word ')}](https://e.example)`],
  ['a long label of many lines', `[${fill('word\n')}](https://e.example)`],
  ['a bracket before many lines', `[${fill('word\n')}`],
  ['dots in a label', `[${fill('.')}a](https://e.example)`],
  ['links in one word', `${fill('.')}${'[a](https://e.example)b.'.repeat(1_000)}`],
  ['links after a long word', `${fill('a.bc/')}${'[a](https://e.example)'.repeat(1_000)}`],
  ['definitions', Array.from({ length: 9_000 }, (_, i) => `[a${i}]: b`).join('\n')],
  ['nothing seen', fill('\u0000\u200b')],
  ['halves of characters', fill('\ud83d')],
])('%s', (_, markdown) => {
  const before = process.threadCpuUsage();
  const { messages } = toMessages(markdown);
  toDraftBlocks(markdown);
  const { user } = process.threadCpuUsage(before);
  // What is counted is the work, not the waiting for a busy machine: ten times what it takes, and a tenth of what the parser would.
  expect(user / 1_000).toBeLessThan(4_000);
  expect(messages.length).toBeLessThanOrEqual(10);
  expect(messages.flatMap(findRefusals)).toEqual([]);
});

it.each([
  ['marks', `const matrix = [[a[0], b[1]], [c[2], d[3]]]; // ${'_'.repeat(20)}\n`.repeat(60)],
  ['lists', '- name: a\n  values:\n    - b\n    - c\n'.repeat(1_900)],
])('code with many %s is code all the same', (_, code) => {
  const { messages } = toMessages(`Words.\n\n\`\`\`js\n${code}\`\`\`\n\nMore **words**.`);
  const elements = messages
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => (block.type === 'rich_text' ? block.elements : []));
  expect(elements.map(({ type }) => type)).toContain('rich_text_preformatted');
  expect(wordsOf(elements)).not.toContain('```');
});

it('a text of many parts is read part by part, and fences, lists and names hold across them', () => {
  const filler = `${'word '.repeat(1_000)}\n\n`.repeat(4);
  const markdown = `${filler}\`\`\`\n${'code\n\ncode\n'.repeat(900)}\`\`\`\n\n${filler}5. five\n\n   still five\n6. six\n\nEnd.`;
  const elements = toMessages(markdown).messages.flatMap(({ blocks }) => blocks);
  const words = wordsOf(elements);
  expect(words).not.toContain('```');
  expect(JSON.stringify(elements)).toContain('"offset":4');
  expect(words).toContain('five\nstill fivesix');
  expect(JSON.stringify(toMessages(`[a][x] ${filler}End.\n\n[x]: https://e.example/y`).messages)).toContain(
    '"url":"https://e.example/y"',
  );
});
