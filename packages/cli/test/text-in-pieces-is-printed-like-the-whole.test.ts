// However a model's text is cut into pieces, what is printed is what the whole would be: no sequence, no half letter.

import { array, assert, constantFrom, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import { PrintableStream, toPrintable } from '../src/render/printable.ts';

const inPieces = (pieces: readonly string[]) => {
  const stream = new PrintableStream();
  return [...pieces.map((piece) => stream.push(piece)), stream.end()];
};

const parts = [
  ...['word ', '😀', '\n', '\r\n', '\t', 'é'],
  ...['\u001b[31m', '\u009b1;2H', '\u001b(B', '\u001b7', '\u001bM'],
  ...['\u001b]0;a title\u0007', '\u001b]8;;http://x/a b\u001b\\', '\u009d0;title\u009c', '\u001bPq#0\u001b\\'],
];

test('any text, cut anywhere', () => {
  assert(
    property(array(constantFrom(...parts), { maxLength: 12 }), array(integer({ min: 1, max: 6 })), (texts, lengths) => {
      const whole = texts.join('');
      const pieces: string[] = [];
      let at = 0;
      for (const length of lengths) {
        pieces.push(whole.slice(at, at + length));
        at += length;
      }
      expect(inPieces([...pieces, whole.slice(at)]).join('')).toBe(toPrintable(whole));
    }),
    { numRuns: 500 },
  );
});

test('a letter in two halves is written once, when it is whole', () => {
  expect(inPieces(['a\ud83d', '\ude00b'])).toEqual(['a', '😀b', '']);
});

test('a title whose end comes in two halves leaves nothing', () => {
  expect(inPieces(['a\u001b]0;own', 'ed\u001b', '\\b']).join('')).toBe('ab');
});

test('nothing is waited for that can no longer be a sequence', () => {
  expect(inPieces(['a\u001b\nb', 'c'])).toEqual(['a\nb', 'c', '']);
  expect(inPieces([`\u001b]0;${'x'.repeat(5_000)}`, 'c'])[1]).toBe('c');
});

test('many beginnings without an end take no time', () => {
  const before = performance.now();
  for (const letter of ['\u001b]', '\u009d', '\u001b[', '\u001b'])
    expect(inPieces([letter.repeat(50_000), 'a ferry']).join('')).toContain('ferry');
  expect(performance.now() - before).toBeLessThan(2_000);
});
