// The promise: the address of a store is shown without its password, also where that has signs in it which should have been written otherwise.

import { expect, test } from 'vitest';
import { readAddress } from '../../store/src/postgres/address.ts';
import { placeInWords } from '../src/store-choice.ts';

test.each([
  ['postgres://ada:hush@db.example:5433/agents', 'postgres://ada@db.example:5433/agents'],
  ['postgres://db.example/agents?user=ada@home&password=hush', 'postgres://db.example/agents?user=ada%40home'],
])('%s', (address, shown) => {
  expect(placeInWords(address)).toBe(shown);
});

test.each([
  'postgres://ada:hu/sh@db.example/agents',
  'postgres://ada:hu#sh@db.example/agents',
  'postgres://ada:12/hush@db.example/agents',
  'postgres://ada:12#hush@db.example/agents',
  'postgres://ada:12?hush@db.example/agents',
])('%s is no address, and nothing of its password is shown', (address) => {
  expect(placeInWords(address)).toBe('postgres://db.example/agents');
  expect(() => readAddress(address)).toThrow(/^The address of the store is no URL/);
});
