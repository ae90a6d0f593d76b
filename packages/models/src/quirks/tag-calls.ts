// Calls that a model wrote as tags: around JSON, around named parameters, or named after the tool itself.

import type { ToolSpec } from '@ai-agent/core';
import { type CallText, type LeakedCall, withInput } from './call-text.ts';
import { readJsonCalls } from './json-calls.ts';
import { propertiesOf } from './offer.ts';
import { elements, namespace, wrappers } from './openings.ts';
import { typedValue } from './typed-value.ts';

type Calls = readonly LeakedCall[] | undefined;

const wrapper = new RegExp(`<(${namespace})(${wrappers.join('|')}|function)>`, 'y');
const element = new RegExp(
  `<(${namespace})(${[...elements, ...wrappers].join('|')})(?:=["']?([^<>"'\\n]{1,128})["']?|\\s[^<>\\n]{0,200}?)>`,
  'y',
);
const tag = /<([A-Za-z_][\w.-]{0,63})>/y;

/** What stands at the place of `source`, which is at a `<`. */
export function readTagCalls(source: CallText, depth = 0): Calls {
  const around = source.match(wrapper);
  if (around && depth >= maxDepth) return undefined;
  if (around) {
    const name = `${around[1]}${around[2]}`;
    return around[2] === 'tools' ? readTools(source, name, depth) : readWrapped(source, name, depth);
  }
  const start = source.at;
  const found = source.match(element);
  if (found) {
    const [all, prefix = '', name = '', given] = found;
    const called = given ?? /\sname\s*=\s*["']([^"']{1,128})["']/.exec(all)?.[1];
    const tool = called === undefined ? undefined : source.toolNamed(called);
    return tool && readElement(source, tool, `${prefix}${name}`);
  }
  source.at = start;
  return readNamed(source);
}

const maxDepth = 4;

/** Tools are defined in it as well: only what says that it has arguments is a call. */
function readTools(source: CallText, name: string, depth: number): Calls {
  source.skipBlank();
  if (!'{['.includes(source.next)) return undefined;
  source.mayDefine = true;
  const calls = readWrapped(source, name, depth);
  source.mayDefine = false;
  return calls;
}

/** The tag around it may be missing at the end of the text: servers cut it off. */
function readWrapped(source: CallText, name: string, depth: number): Calls {
  const closing = `</${name}>`;
  const calls: LeakedCall[] = [];
  while (!source.eat(closing)) {
    if (source.isAtEnd) return calls.length > 0 ? calls : undefined;
    const read = readInside(source, name, depth);
    if (!read) return undefined;
    calls.push(...read);
  }
  return calls.length > 0 ? calls : undefined;
}

function readInside(source: CallText, name: string, depth: number): Calls {
  if (source.next === '<') return readTagCalls(source, depth + 1);
  if ('{[`'.includes(source.next)) return readJsonCalls(source, `</${escaped(name)}>`);
  // A bare name, then keys and values in turn.
  const called = source.match(/[\w.:-]{1,128}/y)?.[0];
  const tool = called === undefined ? undefined : source.toolNamed(called);
  if (!tool) return undefined;
  const entries: (readonly [string, unknown])[] = [];
  while (source.eat('<arg_key>')) {
    const key = source.upTo(/<\/arg_key>\s*<arg_value>/g)?.trim();
    const value = source.upTo(/<\/arg_value>/g);
    if (key === undefined || value === undefined) return undefined;
    entries.push([key, typedValue(value, key, tool.inputSchema)]);
  }
  const call = toCallOf(tool, entries, source);
  return call && [call];
}

/** Only the tag at the very end of a text may be missing. */
function readElement(source: CallText, tool: ToolSpec, name: string): Calls {
  const closing = `</${name}>`;
  source.skipBlank();
  if (source.next === '{') return readObjectCall(source, tool, closing);
  const entries: (readonly [string, unknown])[] = [];
  while (!source.eat(closing)) {
    if (source.isAtEnd && entries.length > 0) break;
    const entry = readParameter(source, tool);
    if (!entry) return undefined;
    entries.push(entry);
  }
  const call = toCallOf(tool, entries, source);
  return call && [call];
}

function readObjectCall(source: CallText, tool: ToolSpec, closing: string): Calls {
  const start = source.at;
  const text = source.jsonText();
  const isWhole = text !== undefined && (source.eat(closing) || source.isAtEnd);
  if (!isWhole) source.at = start;
  const given = isWhole ? text : source.upTo(new RegExp(escaped(closing), 'g'));
  const call = given === undefined ? undefined : withInput(tool, source.objectIn(given), source);
  return call && [call];
}

const parameter = new RegExp(
  `<(${namespace})(?:(param(?:eter)?|arg(?:ument)?)(?:=["']?([^<>"'\\n]{1,128})["']?|\\s[^<>\\n]{0,200}?)|([A-Za-z_][\\w.-]{0,127}))>`,
  'y',
);

/** By its name in the tag; or, where the tag is the name, one that the tool has. */
function readParameter(source: CallText, tool: ToolSpec): readonly [string, unknown] | undefined {
  source.skipBlank();
  const found = source.match(parameter);
  if (!found) return undefined;
  const [all, prefix = '', word, given, bare] = found;
  const key = (given ?? bare ?? /\sname\s*=\s*["']([^"']{1,128})["']/.exec(all)?.[1])?.trim();
  if (key === undefined || (bare !== undefined && !Object.hasOwn(propertiesOf(tool.inputSchema), bare)))
    return undefined;
  const names = word === undefined ? escaped(key) : `(?:${word}|${escaped(key)})`;
  const value = source.upTo(new RegExp(`</(?:${escaped(prefix)})?${names}>`, 'g'));
  return value === undefined ? undefined : [key, typedValue(value, key, tool.inputSchema)];
}

/** A tag named after a tool: JSON, or a tag for every argument. This is XML, so its entities are decoded. */
function readNamed(source: CallText): Calls {
  const name = source.match(tag)?.[1];
  const tool = source.offer.tools.find((one) => one.name === name);
  if (!tool) return undefined;
  const closing = `</${tool.name}>`;
  source.skipBlank();
  if (source.next === '{') return readObjectCall(source, tool, closing);
  const entries: (readonly [string, unknown])[] = [];
  while (!source.eat(closing)) {
    source.skipBlank();
    const key = source.match(tag)?.[1];
    if (key === undefined || !Object.hasOwn(propertiesOf(tool.inputSchema), key)) return undefined;
    const value = source.upTo(new RegExp(`</${escaped(key)}>`, 'g'));
    if (value === undefined) return undefined;
    entries.push([key, typedValue(withoutEntities(value), key, tool.inputSchema)]);
  }
  const call = entries.length === 0 ? undefined : toCallOf(tool, entries, source);
  return call && [call];
}

/** A key that is given twice could mean either value. */
function toCallOf(tool: ToolSpec, entries: readonly (readonly [string, unknown])[], source: CallText) {
  if (new Set(entries.map(([key]) => key)).size < entries.length) return undefined;
  return withInput(tool, entries.length === 0 ? undefined : Object.fromEntries(entries), source);
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

function withoutEntities(text: string): string {
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => entities[name] ?? '');
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
