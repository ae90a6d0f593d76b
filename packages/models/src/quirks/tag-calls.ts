// Calls that a model wrote as tags: around JSON, around named parameters, or named after the tool itself.

import type { ToolSpec } from '@ai-agent/core';
import { type CallText, type LeakedCall, withInput } from './call-text.ts';
import { readJsonCalls } from './json-calls.ts';
import { propertiesOf } from './offer.ts';
import { elements, namespace, wrappers } from './openings.ts';
import { typedValue } from './typed-value.ts';

type Calls = readonly LeakedCall[] | undefined;

const wrapper = new RegExp(`<${namespace}(${wrappers.join('|')}|function|invoke)>`, 'y');
const element = new RegExp(
  `<${namespace}(${[...elements, ...wrappers].join('|')})(?:=["']?([^<>"'\\n]{1,128})["']?|\\s[^<>\\n]{0,200}?)>`,
  'y',
);
const tag = new RegExp(`<${namespace}([A-Za-z_][\\w.-]{0,63})>`, 'y');

/** What stands at the place of `source`, which is at a `<`. */
export function readTagCalls(source: CallText, depth = 0): Calls {
  const name = source.match(wrapper)?.[1];
  if (name !== undefined && depth >= maxDepth) return undefined;
  if (name !== undefined) return name === 'tools' ? readTools(source, depth) : readWrapped(source, name, depth);
  const found = source.match(element);
  if (!found) return readNamed(source);
  const [all, word = '', given] = found;
  const called = given ?? /\sname\s*=\s*["']([^"']{1,128})["']/.exec(all)?.[1];
  const tool = called === undefined ? undefined : source.toolNamed(called);
  return tool && asCalls(tool, readElement(source, tool, word), source);
}

const maxDepth = 4;

/** Tools are defined in it as well: only what says that it has arguments, or is a call by its own tag, is one. */
function readTools(source: CallText, depth: number): Calls {
  source.skipBlank();
  if (!'{['.includes(source.next) && !startsCall.test(source.text.slice(source.at, source.at + 50))) return undefined;
  source.mayDefine = true;
  const calls = readWrapped(source, 'tools', depth);
  source.mayDefine = false;
  return calls;
}

const startsCall = new RegExp(`^<${namespace}(?:tool_call|function_call|invoke)[\\s>]`);

/** The tag around it may be missing at the end of the text: servers cut it off. */
function readWrapped(source: CallText, name: string, depth: number): Calls {
  const calls: LeakedCall[] = [];
  while (!eatClosing(source, name)) {
    if (source.isAtEnd) return calls.length > 0 ? calls : undefined;
    const read = readInside(source, name, depth);
    if (!read) return undefined;
    calls.push(...read);
  }
  return calls.length > 0 ? calls : undefined;
}

function readInside(source: CallText, name: string, depth: number): Calls {
  const named = source.match(/<(?:tool_)?name>\s*([\w.:-]{1,128})\s*<\/(?:tool_)?name>\s*/y)?.[1];
  if (named !== undefined) return readAfterName(source, source.toolNamed(named), name);
  if (name === 'invoke') return undefined;
  if (source.next === '<') return readTagCalls(source, depth + 1);
  if ('{[`'.includes(source.next)) return readJsonCalls(source, closingOf(name));
  // A bare name, then keys and values in turn.
  const called = source.match(/[\w.:-]{1,128}/y)?.[0];
  const tool = called === undefined ? undefined : source.toolNamed(called);
  if (!tool) return undefined;
  const entries: Entry[] = [];
  while (source.eat('<arg_key>')) {
    const key = source.upTo(/<\/arg_key>\s*<arg_value>/g)?.trim();
    const value = source.upTo(/<\/arg_value>/g);
    if (key === undefined || value === undefined) return undefined;
    entries.push([key, typedValue(value, key, tool.inputSchema)]);
  }
  return asCalls(tool, entries, source);
}

/** The name in a tag of its own, then the arguments in another; the tag around them is left where it is. */
function readAfterName(source: CallText, tool: ToolSpec | undefined, name: string): Calls {
  if (!tool) return undefined;
  const isNone = source.isAtEnd || isClosing(source, name);
  return asCalls(tool, isNone ? [] : readArguments(source, tool), source);
}

type Entry = readonly [string, unknown];
/** One by one, or as one text that is an object. */
type Given = readonly Entry[] | string | undefined;

const container = new RegExp(`<${namespace}(parameters|arguments|args|input)>`, 'y');

/** All arguments between tags that say so, unless the tool has one of that name. */
function readArguments(source: CallText, tool: ToolSpec): Given {
  const start = source.at;
  const name = source.match(container)?.[1];
  if (name !== undefined && !Object.hasOwn(propertiesOf(tool.inputSchema), name)) return readBody(source, tool, name);
  source.at = start;
  return undefined;
}

function readElement(source: CallText, tool: ToolSpec, name: string): Given {
  source.skipBlank();
  const whole = readArguments(source, tool);
  if (whole === undefined) return readBody(source, tool, name);
  return eatClosing(source, name) || source.isAtEnd ? whole : undefined;
}

/** Only the tag at the very end of a text may be missing. */
function readBody(source: CallText, tool: ToolSpec, name: string): Given {
  source.skipBlank();
  if (source.next === '{') return readObjectText(source, closingOf(name));
  return readEntries(source, name, () => readParameter(source, tool));
}

function readEntries(source: CallText, name: string, read: () => Entry | undefined): Given {
  const entries: Entry[] = [];
  while (!eatClosing(source, name)) {
    if (source.isAtEnd && entries.length > 0) break;
    const entry = read();
    if (!entry) return undefined;
    entries.push(entry);
  }
  return entries;
}

function readObjectText(source: CallText, closing: string): string | undefined {
  const start = source.at;
  const text = source.jsonText();
  const isWhole = text !== undefined && (source.match(new RegExp(`\\s*${closing}`, 'y')) || isBlankToEnd(source));
  if (isWhole) return text;
  source.at = start;
  return source.upTo(new RegExp(closing, 'g'));
}

function isBlankToEnd(source: CallText): boolean {
  source.skipBlank();
  return source.isAtEnd;
}

const parameter = new RegExp(
  `<${namespace}(?:(param(?:eter)?|arg(?:ument)?)(?:=["']?([^<>"'\\n]{1,128})["']?|\\s[^<>\\n]{0,200}?)|([A-Za-z_][\\w.-]{0,127}))>`,
  'y',
);

/** By its name in the tag; or, where the tag is the name, one that the tool has. */
function readParameter(source: CallText, tool: ToolSpec): Entry | undefined {
  source.skipBlank();
  const found = source.match(parameter);
  if (!found) return undefined;
  const [all, word, given, bare] = found;
  const key = (given ?? bare ?? /\sname\s*=\s*["']([^"']{1,128})["']/.exec(all)?.[1])?.trim();
  if (key === undefined || (bare !== undefined && !Object.hasOwn(propertiesOf(tool.inputSchema), bare)))
    return undefined;
  const names = word === undefined ? escaped(key) : `(?:${word}|${escaped(key)})`;
  const value = source.upTo(new RegExp(`</${namespace}${names}>`, 'g'));
  return value === undefined ? undefined : [key, typedValue(value, key, tool.inputSchema)];
}

/** A tag named after a tool: JSON, or a tag for every argument. This is XML, so its entities are decoded. */
function readNamed(source: CallText): Calls {
  const name = source.match(tag)?.[1];
  const tool = source.offer.tools.find((one) => one.name === name);
  if (!tool) return undefined;
  source.skipBlank();
  if (source.next === '{') return asCalls(tool, readObjectText(source, closingOf(tool.name)), source);
  const whole = readArguments(source, tool);
  if (whole !== undefined) return eatClosing(source, tool.name) ? asCalls(tool, whole, source) : undefined;
  const given = readEntries(source, tool.name, () => readXml(source, tool) ?? readParameter(source, tool));
  return given === undefined || given.length === 0 ? undefined : asCalls(tool, given, source);
}

function readXml(source: CallText, tool: ToolSpec): Entry | undefined {
  source.skipBlank();
  const start = source.at;
  const key = source.match(tag)?.[1];
  const isKnown = key !== undefined && Object.hasOwn(propertiesOf(tool.inputSchema), key);
  const value = isKnown ? source.upTo(new RegExp(`</${namespace}${escaped(key)}>`, 'g')) : undefined;
  if (isKnown && value !== undefined) return [key, typedValue(withoutEntities(value), key, tool.inputSchema)];
  source.at = start;
  return undefined;
}

/** The namespace of a closing tag is often another than that of its opening. */
function closingOf(name: string): string {
  return `</${namespace}${escaped(name)}>`;
}

function isClosing(source: CallText, name: string): boolean {
  const { at } = source;
  const isHere = eatClosing(source, name);
  source.at = at;
  return isHere;
}

function eatClosing(source: CallText, name: string): boolean {
  source.skipBlank();
  return source.match(new RegExp(closingOf(name), 'y')) !== undefined;
}

function asCalls(tool: ToolSpec, given: Given, source: CallText): Calls {
  const call = given === undefined ? undefined : toCallOf(tool, given, source);
  return call && [call];
}

/** A key that is given twice could mean either value. */
function toCallOf(tool: ToolSpec, given: readonly Entry[] | string, source: CallText): LeakedCall | undefined {
  if (typeof given === 'string') return withInput(tool, source.objectIn(given), source);
  const entries = given;
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
