// Server-sent events are the same events whether their bytes come at once, one by one, or as a single endless line.

import { expect, test } from 'vitest';
import { EventReader } from '../src/providers/chat/server-sent-events.ts';

const text = 'data: Grüße ☃ 🎿\n\n: ping\n\nevent: x\ndata: one\ndata:two\n\ndata: \n\ndata: last\n\n';
const events = ['Grüße ☃ 🎿', 'one\ntwo', '', 'last'];

test.each([
  ['LF', '\n'],
  ['CRLF', '\r\n'],
  ['CR', '\r'],
])('lines that end with %s', (_, end) => {
  const bytes = Buffer.from(text.replaceAll('\n', end));
  for (let size = 1; size <= bytes.length; size++) {
    const reader = new EventReader();
    const read = [];
    for (let i = 0; i < bytes.length; i += size) read.push(...reader.take(bytes.subarray(i, i + size)));
    expect(read).toEqual(events);
  }
});

test('an event is there as soon as its last line ends', () => {
  const reader = new EventReader();
  expect(reader.take(Buffer.from('data: a\r\r'))).toEqual(['a']);
  expect(reader.take(Buffer.from('\ndata: b\r\n\r'))).toEqual(['b']);
  expect(reader.take(Buffer.from('\n'))).toEqual([]);
});

test('what has no blank line after it is not an event', () => {
  expect(new EventReader().take(Buffer.from('data: a\n'))).toEqual([]);
});

test('a long line in small pieces costs no more than its length', () => {
  const cost = (length: number) => {
    const reader = new EventReader();
    const piece = Buffer.from('x'.repeat(16));
    const start = process.hrtime();
    reader.take(Buffer.from('data: '));
    for (let i = 0; i < length; i += piece.length) reader.take(piece);
    expect(reader.take(Buffer.from('\n\n'))[0]).toHaveLength(length);
    const [seconds, nanoseconds] = process.hrtime(start);
    return seconds + nanoseconds / 1e9;
  };
  cost(160_000);
  // Sixteen times the length was two hundred times the work.
  expect(cost(2_560_000)).toBeLessThan(Math.max(0.5, cost(160_000) * 60));
});
