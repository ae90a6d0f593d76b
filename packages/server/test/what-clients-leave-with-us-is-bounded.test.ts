// The promise: conversations that are held for clients are so many and so large together, and no more; the oldest go first.

import { expect, test } from 'vitest';
import { Remembered } from '../src/talk/remembered.ts';

function rememberedOf(bounds: { readonly max: number; readonly maxBytes?: number }) {
  const forgotten: string[] = [];
  let time = 0;
  const onForget = ({ name }: { name: string }) => forgotten.push(name);
  const kept = new Remembered<{ name: string; words?: string }>({ forMs: 100, now: () => time, onForget, ...bounds });
  const names = () => ['a', 'b', 'c', 'd'].filter((name) => kept.get(name));
  return {
    forgotten,
    names,
    kept,
    put: (name: string, words = '') => kept.put(name, { name, words }),
    wait(ms: number) {
      time += ms;
    },
  };
}

test('so many', () => {
  const { put, names, forgotten } = rememberedOf({ max: 2 });
  for (const name of ['a', 'b', 'a', 'c']) put(name);
  expect([names(), forgotten]).toEqual([['a', 'c'], ['b']]);
});

test('so long', () => {
  const { put, names, wait, forgotten } = rememberedOf({ max: 9 });
  put('a');
  wait(60);
  put('b');
  wait(60);
  expect([names(), forgotten]).toEqual([['b'], []]);
  put('c');
  expect([names(), forgotten]).toEqual([['b', 'c'], ['a']]);
});

test('so much, but for the newest', () => {
  const { put, names, kept } = rememberedOf({ max: 9, maxBytes: 2_000 });
  put('a', 'x'.repeat(800));
  put('b', 'x'.repeat(800));
  expect(names()).toEqual(['a', 'b']);
  put('c', 'x'.repeat(800));
  expect(names()).toEqual(['b', 'c']);
  kept.delete('b');
  put('a', 'x'.repeat(800));
  expect(names()).toEqual(['a', 'c']);
  put('d', 'x'.repeat(9_000));
  expect(names()).toEqual(['d']);
});
