// The promise: whatever a model writes, every message is one that Slack takes, and no word is lost unless it is said.
import { describe, expect, it } from 'vitest';
import { toDraftBlocks } from '../src/blocks/draft.ts';
import { toMessages } from '../src/blocks/to-messages.ts';
import { findRefusals, wordsOf } from './hold-to-limits.ts';

const tail = [
  { type: 'context' as const, elements: [{ type: 'plain_text' as const, text: 'footer' }] },
  {
    type: 'actions' as const,
    elements: [{ type: 'button' as const, text: { type: 'plain_text' as const, text: 'Again' } }],
  },
];

const refusalsOf = (markdown: string) => toMessages(markdown, { tail }).messages.flatMap(findRefusals);

it('generated documents are taken, and every word of them is there in its order', () => {
  let wholes = 0;
  for (let seed = 1; seed <= 240; seed++) {
    const markdown = generate(seed);
    const { messages, isCut } = toMessages(markdown, { tail });
    expect(messages.flatMap(findRefusals), `seed ${seed}`).toEqual([]);
    expect(messages.length, `seed ${seed}`).toBeLessThanOrEqual(10);
    expect(messages.at(-1)?.blocks.slice(-2), `seed ${seed}`).toEqual(tail);
    const words = wordsOf(messages.map(({ blocks }) => blocks));
    if (!isCut) expect(findLost(markdown, words), `seed ${seed}`).toBeUndefined();
    if (!isCut) wholes++;
    if (seed % 6 > 0) continue;
    const blocks = toDraftBlocks(markdown.slice(0, seed * 20));
    expect(findRefusals({ text: 'draft', blocks }), `seed ${seed}`).toEqual([]);
  }
  // Only what ten messages do not hold is cut.
  expect(wholes).toBeGreaterThan(220);
});

describe('a text that is too long', () => {
  const long = Array.from({ length: 40_000 }, (_, i) => `word${i}`).join(' ');

  it('is cut at as many messages as are wanted, and the last one says where the whole is', () => {
    for (const most of [1, 3, 10]) {
      const { messages, isCut } = toMessages(long, { tail, most });
      expect([messages.length, isCut]).toEqual([most, true]);
      expect(messages.flatMap(findRefusals)).toEqual([]);
      expect(messages.at(-1)?.blocks.slice(-2)).toEqual(tail);
      expect(wordsOf(messages.at(-1)?.blocks.at(-3))).toMatch(/the whole of it is in the file/);
    }
  });

  it('is whole in as many messages as it needs otherwise', () => {
    const markdown = long.slice(0, 60_000);
    const { messages, isCut } = toMessages(markdown, { tail });
    expect(isCut).toBe(false);
    expect(messages.length).toBeGreaterThan(4);
    expect(wordsOf(messages.map(({ blocks }) => blocks))).toContain(markdown.slice(59_900).split(' ').at(-2));
    expect(
      messages
        .slice(0, -1)
        .flatMap(({ blocks }) => blocks)
        .map(({ type }) => type),
    ).not.toContain('actions');
  });
});

describe('the end of an answer', () => {
  it('gets a message of its own with the last block where there is no room for it', () => {
    const dividers = '---\n\n'.repeat(49);
    const { messages, isCut } = toMessages(dividers, { tail });
    expect(isCut).toBe(false);
    expect(messages.map(({ blocks }) => blocks.length)).toEqual([48, 3]);
  });

  it('does not leave a header alone over nothing', () => {
    const { messages } = toMessages(`${'---\n\n'.repeat(48)}# Header\n\nA word.\n\n---\n\nAnother.`);
    expect(messages.map(({ blocks }) => blocks.at(0)?.type)).toEqual(['divider', 'divider']);
    const [first, second] = toMessages(`${'---\n\n'.repeat(49)}# Header\n\nA word.`).messages;
    expect(first?.blocks.at(-1)?.type).toBe('divider');
    expect(second?.blocks.at(0)?.type).toBe('header');
  });
});

it('heavy things are taken: links, tables, code, and one word without end', () => {
  const link = `[a](https://example.com/${'x'.repeat(2_900)}) `;
  const row = `| ${'cell '.repeat(10)} | ${link} |\n`;
  expect(refusalsOf(link.repeat(40))).toEqual([]);
  expect(refusalsOf(`| a | b |\n| - | - |\n${row.repeat(30)}`)).toEqual([]);
  expect(refusalsOf(`| a | b |\n| - | - |\n${'| |\n'.repeat(500)}`)).toEqual([]);
  expect(refusalsOf(`| a |\n| - |\n| ${'long '.repeat(4_000)} |`)).toEqual([]);
  expect(refusalsOf(`\`\`\`\n${'😀'.repeat(9_000)}\n\`\`\``)).toEqual([]);
  expect(refusalsOf('a'.repeat(100_000))).toEqual([]);
  expect(refusalsOf('**a** `b` '.repeat(8_000))).toEqual([]);
  expect(refusalsOf('&<>'.repeat(2_000))).toEqual([]);
  expect(refusalsOf(`- ${'item '.repeat(2_000)}\n`.repeat(3))).toEqual([]);
});

it('an answer without words is a message that says so', () => {
  for (const nothing of ['', ' \n\t ', '\u200b', '```\n```', '[a]: <>']) {
    const { messages, isCut } = toMessages(nothing, { tail });
    expect([messages.length, isCut]).toEqual([1, false]);
    expect(messages.flatMap(findRefusals)).toEqual([]);
  }
  expect(toMessages('').messages[0]?.text).toBe('The answer is empty.');
});

/** The first word of the source that is not there after those before it. */
function findLost(markdown: string, words: string): string | undefined {
  let from = 0;
  for (const [word] of markdown.matchAll(/w\d+x/g)) {
    const at = words.indexOf(word, from);
    if (at === -1) return word;
    from = at + word.length;
  }
  return;
}

/** A document of every kind of thing, nested and broken, the same for the same seed. Its words are numbered: `w12x`. */
function generate(seed: number): string {
  let state = seed * 2_654_435_761;
  let number = 0;
  const below = (most: number) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) % most;
  };
  const times = (most: number, make: () => string, between = '') =>
    Array.from({ length: below(most) + 1 }, make).join(between);
  const word = () => `w${number++}x`;
  const pick = (...kinds: readonly (() => string)[]) => (kinds[below(kinds.length)] as () => string)();
  const inline = () =>
    pick(
      word,
      () => `**${word()}** *${word()}*`,
      () => `***${word()} \`${word()}\`*** ~~${word()}~~`,
      () => `\`${word()} <b> ${word()}\``,
      () => `[${word()}](https://example.com/path?${'q'.repeat(below(80))})`,
      () => `[${word()}](javascript:x) ![${word()}](https://example.com/i.png)`,
      () => `<b>${word()}</b> &amp; ${word()} @here <!channel> 👩‍👩‍👧`,
      () => `${word()}  \n${word()}\\\n${word()} https://example.com/`,
      () =>
        pick(
          () => '[',
          () => '**',
          () => '`',
          () => '<',
          () => '](',
          () => '\u202e',
        ),
    );
  const line = () => times(12, inline, ' ');
  const indent = (text: string, by: string) => text.replace(/^/gm, by);
  const cells = (count: number, make: () => string) => `| ${Array.from({ length: count }, make).join(' | ')} |`;
  const table = () => {
    const count = below(12) === 0 ? 21 + below(4) : 1 + below(6);
    const cell = () =>
      pick(
        word,
        word,
        () => '',
        () => `**${word()}**`,
        () => `[${word()}](https://example.com)`,
      );
    const rows = below(10) === 0 ? 130 : 6;
    return [
      cells(count, cell),
      cells(count, () =>
        pick(
          () => ':-',
          () => '-:',
          () => ':-:',
          () => '---',
        ),
      ),
      times(rows, () => cells(count, cell), '\n'),
    ].join('\n');
  };
  const block = (depth: number): string =>
    pick(
      line,
      () => times(below(8) === 0 ? 400 : 3, word, ' '),
      () => `${'#'.repeat(1 + below(6))} ${below(3) === 0 ? line().replace(/\n/g, ' ') : word()}`,
      () => `\`\`\`js\n${times(below(6) === 0 ? 300 : 5, () => times(8, word, ' '), '\n')}\n\`\`\``,
      () => '---',
      table,
      () =>
        depth > 3
          ? word()
          : indent(
              times(3, () => block(depth + 1), '\n\n'),
              '> ',
            ),
      () => list(depth),
      () => `<div>\n${word()}\n</div>`,
      () => `${word()}[^n]\n\n[^n]: ${word()} ${word()}`,
    );
  const list = (depth: number): string => {
    const first = below(40);
    const isOrdered = below(2) === 0;
    const items = Array.from({ length: 1 + below(6) }, (_, i) => {
      const mark = isOrdered
        ? `${first + i}. `
        : pick(
            () => '- ',
            () => '- [ ] ',
            () => '- [x] ',
          );
      const inside = depth > 3 || below(2) === 0 ? '' : `\n${indent(block(depth + 1), '    ')}`;
      return `${mark}${word()} ${line().replace(/\n/g, ' ')}${inside}`;
    });
    return items.join('\n');
  };
  return times(seed % 40 === 0 ? 60 : 5, () => block(0), '\n\n');
}
