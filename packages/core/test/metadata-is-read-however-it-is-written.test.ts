// The promise: blocks of metadata are found in any reasonable spelling, and nothing of them is left in the text.
import { describe, expect, test } from 'vitest';
import { readBlock, takeBlocks } from '../src/metadata-blocks.ts';

const value = { mood: 'calm', tags: ['a }', '"]'] };
const json = JSON.stringify(value);
const tag = 'ai-agent-1a2b3c4d-META';

const readAll = (text: string) => {
  const taken = takeBlocks(text);
  return { text: taken.text, read: taken.blocks.map((block) => [block.plugin, readBlock(block)?.value]) };
};

test.each([
  ['as asked for', `<${tag} plugin="mood">${json}</${tag}>`],
  ['other quotes', `<${tag} plugin='mood'>${json}</${tag}>`],
  ['typographic quotes', `<${tag} plugin=“mood”>${json}</${tag}>`],
  ['no quotes, and spaces', `<${tag}  plugin = mood >\n${json}\n</${tag} >`],
  ['another attribute first', `<${tag} format="json" plugin="mood" v=1>${json}</${tag}>`],
  ['another nonce', `<ai-agent-ffffffff-META plugin="mood">${json}</ai-agent-0-META>`],
  ['the word itself', `<ai-agent-NONCE-META plugin="mood">${json}</ai-agent-NONCE-META>`],
  ['no nonce, small letters', `<ai-agent-meta plugin="mood">${json}</ai-agent-meta>`],
  ['a fence around the JSON', `<${tag} plugin="mood">\n\`\`\`json\n${json}\n\`\`\`\n</${tag}>`],
  ['a fence around the block', `\`\`\`xml\n<${tag} plugin="mood">${json}</${tag}>\n\`\`\``],
  ['never closed', `<${tag} plugin="mood">${json}`],
  ['cut in the closing tag', `<${tag} plugin="mood">${json}</${tag.slice(0, 12)}`],
])('%s', (_, block) => {
  expect(readAll(`The report.\n\n${block}`)).toEqual({ text: 'The report.', read: [['mood', value]] });
});

describe('what is the report stays', () => {
  test('before, between and after blocks, also behind one that was never closed', () => {
    const text = `One.\n<${tag} plugin="a">${json}</${tag}>\nTwo.\n<${tag} plugin="b">${json}\nThree.`;
    const { text: left, read } = readAll(text);
    expect(left).toBe('One.\n\nTwo.\n\nThree.');
    expect(read).toEqual([
      ['a', value],
      ['b', value],
    ]);
  });

  test('two that were never closed, one after the other', () => {
    expect(readAll(`Hi.\n<${tag} plugin="a">${json}\n<${tag} plugin="b">${json}`).read).toHaveLength(2);
  });

  test('in a JSON document, also from inside a string of it', () => {
    const inside = JSON.stringify({ text: `fine <${tag} plugin="mood">${json}</${tag}>` });
    const { text, read } = readAll(inside);
    expect(JSON.parse(text)).toEqual({ text: 'fine ' });
    expect(read).toEqual([['mood', value]]);
  });

  test.each([
    'No block at all, and <b>tags</b> of others.\n',
    '  spaces at both ends stay  ',
    'a fence\n```\n\n```\nwith nothing in it',
  ])('%j is left as it is', (text) => expect(takeBlocks(text)).toEqual({ text, blocks: [] }));
});

test.each([
  `<${tag} plugin="mood">`,
  `<${tag} plugin="mood">{"mood": "ca`,
  `<${tag} plugin="mo`,
  `<${tag.slice(0, 14)}`,
  `</${tag}>`,
])('what was cut off leaves no trace: %s', (piece) => {
  const { text, read } = readAll(`The report. ${piece}`);
  expect(text).toBe('The report.');
  expect(read.every(([, found]) => found === undefined)).toBe(true);
});

test('a long text of beginnings is read in no time', () => {
  const startedAt = performance.now();
  for (const piece of ['<ai-agent-', `<${tag} plugin="a">{`, '```\n', `</${tag}>`, '<ai-agent- '])
    takeBlocks(piece.repeat(5_000));
  takeBlocks(`<ai-agent-${'META.'.repeat(100_000)}`);
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});
