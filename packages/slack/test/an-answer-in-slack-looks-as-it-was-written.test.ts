// The promise: what Markdown says by its form is said by Slack's own form for it.
import { describe, expect, it } from 'vitest';
import { toMessages } from '../src/blocks/to-messages.ts';

const blocksOf = (markdown: string) => toMessages(markdown).messages.flatMap(({ blocks }) => blocks);
interface Element {
  readonly type: string;
  readonly offset?: number;
  readonly elements?: readonly Element[];
  readonly text?: unknown;
}
const elementsOf = (markdown: string): readonly Element[] =>
  blocksOf(markdown).flatMap<Element>((block) => (block.type === 'rich_text' ? block.elements : [block as Element]));
const text = (words: string, style?: object) => ({ type: 'text', text: words, ...(style && { style }) });
const section = (...elements: readonly object[]) => ({ type: 'rich_text_section', elements });

describe('headings', () => {
  it('of the first two levels are headers', () => {
    expect(blocksOf('# One\n\n## Two')).toEqual([
      { type: 'header', text: { type: 'plain_text', text: 'One', emoji: false } },
      { type: 'header', text: { type: 'plain_text', text: 'Two', emoji: false } },
    ]);
  });

  it('are bold where a header cannot say them: deeper, with form, or too long', () => {
    expect(elementsOf('### Three\n\nWords.')).toEqual([section(text('Three', { bold: true }), text('\nWords.'))]);
    expect(elementsOf('# The `code`')).toEqual([
      section(text('The ', { bold: true }), text('code', { bold: true, code: true })),
    ]);
    expect(elementsOf(`# ${'long '.repeat(31)}`)[0]).toMatchObject(section({ type: 'text', style: { bold: true } }));
    expect(elementsOf('> # Quoted')[0]).toMatchObject({ type: 'rich_text_quote' });
  });
});

it('paragraphs keep their looks, their lines and the space between them', () => {
  expect(elementsOf('A **b *c*** ~~d~~ `e`\nf  \ng\n\nh')).toEqual([
    section(
      text('A '),
      text('b ', { bold: true }),
      text('c', { bold: true, italic: true }),
      text(' '),
      text('d', { strike: true }),
      text(' '),
      text('e', { code: true }),
      text('\nf\ng\n\nh'),
    ),
  ]);
});

it('links, addresses and pictures are links; a picture is never loaded', () => {
  const link = (url: string, words: string, style?: object) => ({
    type: 'link',
    url,
    text: words,
    ...(style && { style }),
  });
  expect(
    elementsOf('[**a**](https://e.example/x) https://e.example <me@e.example> ![a cat](https://e.example/c.png)'),
  ).toEqual([
    section(
      link('https://e.example/x', 'a', { bold: true }),
      text(' '),
      link('https://e.example/', 'https://e.example'),
      text(' '),
      link('mailto:me@e.example', 'me@e.example'),
      text(' '),
      link('https://e.example/c.png', 'a cat'),
    ),
  ]);
  expect(
    elementsOf('[a][1] ![](https://e.example/c.png)\n\n[1]: https://e.example/x\n[2]: https://e.example/y'),
  ).toEqual([
    section(
      link('https://e.example/x', 'a'),
      text(' '),
      link('https://e.example/c.png', 'image'),
      text('\n\n[2]: https://e.example/y'),
    ),
  ]);
});

describe('lists', () => {
  const items = (...words: readonly string[]) => words.map((word) => section(text(word)));

  it('have their levels, and their tasks', () => {
    expect(elementsOf('- a\n  - b\n    - c\n- [ ] d\n- [x] e\n-')).toEqual([
      { type: 'rich_text_list', style: 'bullet', indent: 0, elements: items('a') },
      { type: 'rich_text_list', style: 'bullet', indent: 1, elements: items('b') },
      { type: 'rich_text_list', style: 'bullet', indent: 2, elements: items('c') },
      { type: 'rich_text_list', style: 'bullet', indent: 0, elements: items('☐ d', '☑ e', ' ') },
    ]);
  });

  it('have their numbers, also after what stands between the items', () => {
    expect(elementsOf('3. a\n4. b\n\n   ```\n   code\n   ```\n5. c')).toEqual([
      { type: 'rich_text_list', style: 'ordered', indent: 0, offset: 2, elements: items('a', 'b') },
      { type: 'rich_text_preformatted', elements: [text('code')] },
      { type: 'rich_text_list', style: 'ordered', indent: 0, offset: 4, elements: items('c') },
    ]);
  });

  it('go on with their numbers in the next block when they are long', () => {
    const list = Array.from({ length: 400 }, (_, i) => `${i + 1}. item ${i + 1}`).join('\n');
    const parts = elementsOf(list);
    expect(parts.length).toBeGreaterThan(1);
    for (const { offset = 0, elements } of parts) expect(elements?.[0]?.elements?.[0]?.text).toBe(`item ${offset + 1}`);
  });
});

it('quotes are quotes, and what is quoted in another form has their border', () => {
  expect(elementsOf('> a\n>\n> b\n> - c\n>\n> ```\n> d\n> ```\n\nword')).toEqual([
    { type: 'rich_text_quote', elements: [text('a\n\nb')] },
    { type: 'rich_text_list', style: 'bullet', indent: 0, border: 1, elements: [section(text('c'))] },
    { type: 'rich_text_preformatted', border: 1, elements: [text('d')] },
    section(text('word')),
  ]);
});

describe('code', () => {
  it('is kept to the letter', () => {
    expect(elementsOf('```ts\nif (a < b)\n  c("*");\n```')).toEqual([
      { type: 'rich_text_preformatted', elements: [text('if (a < b)\n  c("*");')] },
    ]);
  });

  it('is parted between lines when it is long, and anywhere when there are none', () => {
    const lines = Array.from({ length: 400 }, (_, i) => `line ${i}`);
    const codeOf = (code: string) =>
      elementsOf(`\`\`\`\n${code}\n\`\`\``).map((element) => String(element.elements?.[0]?.text));
    const parts = codeOf(lines.join('\n'));
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.join('\n').split('\n')).toEqual(lines);
    expect(codeOf('😀'.repeat(5_000)).join('')).toBe('😀'.repeat(5_000));
    expect(codeOf('😀'.repeat(5_000)).every((part) => part.isWellFormed())).toBe(true);
  });
});

describe('tables', () => {
  const cell = (...elements: readonly object[]) => ({ type: 'rich_text', elements: [section(...elements)] });
  const raw = (words: string) => ({ type: 'raw_text', text: words });

  it('are tables, with their sides, and no cell is empty', () => {
    expect(blocksOf('| a | b |\n| :-: | --: |\n| 1 | **2**<br>3 |\n|  |')).toEqual([
      {
        type: 'table',
        rows: [
          [cell(text('a', { bold: true })), cell(text('b', { bold: true }))],
          [raw('1'), cell(text('2', { bold: true }), text('\n3'))],
          [raw(' '), raw(' ')],
        ],
        column_settings: [
          { align: 'center', is_wrapped: true },
          { align: 'right', is_wrapped: true },
        ],
      },
    ]);
  });

  it('stand one in a message, and a long one goes on in the next under its head', () => {
    const table = (rows: number) => `| head |\n| - |\n${Array.from({ length: rows }, (_, i) => `| ${i} |\n`).join('')}`;
    const two = toMessages(`First.\n\n${table(2)}\nThen.\n\n${table(1)}`).messages;
    expect(two.map(({ blocks }) => blocks.map(({ type }) => type))).toEqual([
      ['rich_text', 'table', 'rich_text'],
      ['table'],
    ]);
    const long = toMessages(table(150)).messages.flatMap(({ blocks }) => blocks);
    expect(long.map((block) => block.type === 'table' && block.rows.length)).toEqual([100, 52]);
    expect(long.map((block) => block.type === 'table' && block.rows[0])).toEqual(
      Array(2).fill([cell(text('head', { bold: true }))]),
    );
  });

  it('that Slack cannot draw are written in columns', () => {
    const row = (word: string) => `|${`${word}|`.repeat(21)}`;
    const [block] = elementsOf(`${row('ab')}\n${row('-')}\n${row('c')}`);
    expect(block).toEqual({
      type: 'rich_text_preformatted',
      elements: [text(`${Array(21).fill('ab').join(' | ')}\n${Array(21).fill('c ').join(' | ').trimEnd()}`)],
    });
    expect(elementsOf(`| a |\n| - |\n| ${'long '.repeat(3_000)} |`)[0]?.type).toBe('rich_text_preformatted');
  });
});

it('lines between parts are dividers', () => {
  expect(blocksOf('a\n\n---\n\nb').map(({ type }) => type)).toEqual(['rich_text', 'divider', 'rich_text']);
});

it('HTML is shown as it is written, and notes as plain words', () => {
  expect(elementsOf('<b>a</b>\n\n<div>\nb\n</div>\n\nc[^n]\n\n[^n]: d')).toEqual([
    section(text('<b>a</b>\n\n<div>\nb\n</div>\n\nc[n]\n\n[n] d')),
  ]);
});

it('the text beside the blocks says the same in plain words', () => {
  expect(toMessages('# Head\n\nA **b** & <c>\n\n- d\n- e\n\n| f | g |\n| - | - |\n| 1 | 2 |').messages[0]?.text).toBe(
    'Head\nA b &amp; &lt;c&gt;\n• d\n• e\nf | g\n1 | 2',
  );
});
