// Reads what somebody says of an agent's options, in a file or elsewhere, against the one table.

import type { Located } from '../located.ts';
import type { Place, Problems } from '../problem.ts';
import { complain, type Given, show, wrong } from './kind.ts';
import { isTrue, toNames, whole } from './kinds.ts';
import type { Option, Where } from './option.ts';
import { tellUnknown, toPart } from './shape.ts';
import { options } from './table.ts';

/** What was said, by the key of its option. */
export type Said = ReadonlyMap<string, Value>;

export interface Value {
  readonly value: unknown;
  readonly place: Place;
  /** Of a list of names in a file: the line of each. */
  readonly lines?: ReadonlyMap<string, number>;
}

export interface Source {
  readonly where: Where;
  readonly root: Located;
  readonly file: string;
  /** What the keys stand in. @default nothing */
  readonly key?: string;
}

export function readOptions({ where, root, file, key: inside }: Source, problems: Problems): Said {
  const said = new Map<string, Value>();
  const place = { file, ...(inside === undefined ? {} : { key: inside }) };
  const given: Given = { at: root, place, problems };
  for (const [key, field] of root.fields ?? []) readKey(toPart(given, key, field), { key, where, said });
  return said;
}

interface Reading {
  readonly key: string;
  readonly where: Where;
  readonly said: Map<string, Value>;
}

function readKey(part: Given, reading: Reading): void {
  const { key, where, said } = reading;
  const option = optionOf(key, where);
  const elsewhere = movedKeys.get(key) ?? (where === 'file' && commandKeys.includes(key) ? commandOnly : undefined);
  if (option) take(part, option, said);
  else if (prefixes.has(key)) readInside(part, reading);
  else if (elsewhere)
    part.problems.add(unknownIn(where), { code: 'key-unknown', place: part.place, message: elsewhere });
  else tellUnknown(part, { key, known: keysOf(where), severity: unknownIn(where) });
}

/** `budget`, `hints` and `limits`: objects whose keys are options themselves. */
function readInside(part: Given, { key: prefix, where, said }: Reading): void {
  const known = insideOf(prefix, where);
  if (!part.at.fields) wrong(part, `an object with any of ${[...known.keys()].join(', ')}`);
  for (const [key, field] of part.at.fields ?? []) {
    const inner = toPart(part, key, field);
    const option = known.get(key);
    if (option) take(inner, option, said);
    else tellUnknown(inner, { key, known: [...known.keys()], severity: unknownIn(where) });
  }
}

/** What a key that nobody knows is there: a configuration may be older, or newer, than we are. */
function unknownIn(where: Where): 'error' | 'warning' {
  return where === 'defaults' ? 'warning' : 'error';
}

function take(part: Given, option: Option, said: Map<string, Value>): void {
  const value = option.kind.read(part);
  if (value === undefined || value === leaveIt) return;
  const before = said.get(option.key);
  if (!before) said.set(option.key, { value, place: part.place, ...linesIn(part.at) });
  else if (JSON.stringify(before.value) !== JSON.stringify(value)) {
    const { key, line } = before.place;
    const [mine, other] = [wordsOf({ value, place: part.place }, option), wordsOf(before, option)];
    complain(part, `${mine}, and ${key} in line ${line} ${other}`, 'key-conflict');
  }
}

/** Also of a list inside an object. */
function linesIn({ items, fields }: Located): Pick<Value, 'lines'> {
  const lists = items ? [items] : [...(fields?.values() ?? [])].map(({ at }) => at.items ?? [at]);
  const lines = lists.flat().flatMap(({ value, line }): (readonly [string, number])[] => {
    if (typeof value !== 'string' || line === undefined) return [];
    return toNames(value).map((name) => [name, line] as const);
  });
  return lines.length > 0 ? { lines: new Map(lines) } : {};
}

/** Another word for an option has another value too. */
function wordsOf({ value, place }: Value, { key }: Option): string {
  return place.key?.endsWith(key) ? `says ${show(value)}` : `means ${key} ${show(value)}`;
}

function optionOf(key: string, where: Where): Option | undefined {
  const option = byKey.get(key);
  return option?.said.includes(where) && !key.includes('.') ? option : undefined;
}

const byKey = new Map(options.map((option) => [option.key, option]));

/** Objects whose keys are options: those with a dot in their key, and the limits under one roof. */
const prefixes = new Set([...options.flatMap(({ key }) => key.split('.').slice(0, -1)), 'limits']);

/** The options inside an object, by the key they have there. */
function insideOf(prefix: string, where: Where): ReadonlyMap<string, Option> {
  const rows = options.filter(({ said }) => said.includes(where));
  if (prefix !== 'limits')
    return new Map(
      rows.filter(({ key }) => key.startsWith(`${prefix}.`)).map((row) => [row.key.slice(prefix.length + 1), row]),
    );
  return new Map([
    ...rows.filter(({ group }) => group === 'limits').map((row): [string, Option] => [row.key, row]),
    ...limitAliases,
  ]);
}

/** Says nothing of the option it is an alias of. */
const leaveIt = Symbol('leave it');

/** Other words for a limit, which hold inside `limits` alone. */
const limitAliases: readonly [string, Option][] = [
  ['maxToolTurns', alias('maxTurns', { allowed: whole(0).allowed, read: (given) => plusOne(whole(0).read(given)) })],
  [
    'parallelToolCalls',
    alias('maxParallel', { allowed: isTrue.allowed, read: (given) => oneIfNot(isTrue.read(given)) }),
  ],
];

function alias(key: string, kind: Option['kind']): Option {
  return { ...(byKey.get(key) as Option), kind };
}

/** The last turn, which answers, has no tools. */
function plusOne(turns: number | undefined): number | undefined {
  return turns === undefined ? undefined : turns + 1;
}

function oneIfNot(isParallel: boolean | undefined): unknown {
  return isParallel ? leaveIt : isParallel === false ? 1 : undefined;
}

/** The keys one may write, as a person sees them: those inside an object by the object. */
export function keysOf(where: Where): readonly string[] {
  const keys = options.filter(({ said }) => said.includes(where)).map(({ key }) => key.split('.')[0] as string);
  return [...new Set([...keys, 'limits'])];
}

const movedKeys: ReadonlyMap<string, string> = new Map([
  ['maxToolTurns', 'is written limits.maxToolTurns, or as maxTurns, which is one more'],
  ['parallelToolCalls', 'is written limits.parallelToolCalls, or as maxParallel'],
  ['routerDestinations', 'is written as destinations inside router'],
  ['destinations', 'is written inside router: router: { destinations: [a.ai, b.ai] }'],
]);

const commandKeys = ['traceLLM', 'traceMCP', 'verbose', 'accounting', 'save', 'load', 'stream', 'targets'];
const commandOnly = 'is about how the command runs, not about the agent; take it out of the file';
