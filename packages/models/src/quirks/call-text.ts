// A text in which calls are read, from left to right, and what is at hand for reading them.

import { isObject, type ToolSpec } from '@ai-agent/core';
import { findOffered, type Offer, propertiesOf, requiredOf } from './offer.ts';
import { exactJson, type Repair, readObject, repairObject } from './repair-input.ts';

export interface LeakedCall {
  readonly name: string;
  /** JSON text of an object. */
  readonly input: string;
}

export class CallText {
  at = 0;
  /** Something did not parse that might, once it is repaired. */
  wantsRepair = false;
  /** In a tag that definitions of tools stand in as well, a call has to say that these are arguments. */
  mayDefine = false;
  readonly text: string;
  readonly offer: Offer;
  readonly #repair: Repair | undefined;

  constructor(text: string, offer: Offer, repair: Repair | undefined) {
    this.text = text;
    this.offer = offer;
    this.#repair = repair;
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  get next(): string {
    return this.text[this.at] ?? '';
  }

  skipBlank(): void {
    const pattern = /\S/g;
    pattern.lastIndex = this.at;
    this.at = pattern.exec(this.text)?.index ?? this.text.length;
  }

  /** Takes the word, with blanks before it, if it is here. */
  eat(word: string): boolean {
    this.skipBlank();
    if (!this.text.startsWith(word, this.at)) return false;
    this.at += word.length;
    return true;
  }

  /** The pattern is sticky. */
  match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) return undefined;
    this.at = pattern.lastIndex;
    return found;
  }

  /** The text before what the pattern, which is global, finds next; goes behind that. */
  upTo(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) return undefined;
    const text = this.text.slice(this.at, found.index);
    this.at = pattern.lastIndex;
    return text;
  }

  /** One JSON value that is closed, as its text; undefined, and no step further, when there is none. */
  jsonText(): string | undefined {
    const end = endOfJson(this.text, this.at);
    if (end === undefined) return undefined;
    const text = this.text.slice(this.at, end);
    this.at = end;
    return text;
  }

  /** The object that a text is, repaired if it has to be. */
  objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
    const read = readObject(text);
    if (read) return read;
    if (this.#repair) return repairObject(text, this.#repair);
    this.wantsRepair = true;
    return undefined;
  }

  toolNamed(name: string): ToolSpec | undefined {
    return findOffered(name, this.offer.tools);
  }
}

const brackets = /["{}[\]]/g;

function endOfJson(text: string, from: number): number | undefined {
  if (text[from] !== '{' && text[from] !== '[') return undefined;
  let depth = 0;
  brackets.lastIndex = from;
  for (let found = brackets.exec(text); found; found = brackets.exec(text)) {
    if (found[0] === '"') brackets.lastIndex = endOfString(text, brackets.lastIndex);
    else depth += found[0] === '{' || found[0] === '[' ? 1 : -1;
    if (depth === 0) return brackets.lastIndex;
  }
  return undefined;
}

function endOfString(text: string, from: number): number {
  const stop = /["\\]/g;
  stop.lastIndex = from;
  for (let found = stop.exec(text); found; found = stop.exec(text)) {
    if (found[0] === '"') return stop.lastIndex;
    stop.lastIndex++;
  }
  return text.length;
}

const nameKeys = new Set(['name', 'function', 'id', 'type', 'index', 'call_id', 'tool_call_id']);
const inputKeys = ['arguments', 'parameters', 'input', 'args'] as const;

/** A call written as an object: a name, and arguments under one of their usual names. */
export function toCall(value: unknown, source: CallText): LeakedCall | undefined {
  if (!isObject(value)) return undefined;
  const { function: inner } = value;
  if (isObject(inner)) return toCall(inner, source);
  const given = inputKeys.filter((key) => Object.hasOwn(value, key));
  const isKnown = Object.keys(value).every((key) => nameKeys.has(key) || given.some((one) => one === key));
  const name = typeof value.name === 'string' ? value.name : inner;
  if (!isKnown || given.length > 1 || typeof name !== 'string') return undefined;
  const tool = source.toolNamed(name);
  const [key] = given;
  if (source.mayDefine && key !== 'arguments') return undefined;
  return tool && withInput(tool, key === undefined ? undefined : value[key], source);
}

/** No arguments at all are fine for a tool that needs none. */
export function withInput(tool: ToolSpec, given: unknown, source: CallText): LeakedCall | undefined {
  const isNone = given === undefined || given === null || given === '';
  if (isNone) return requiredOf(tool.inputSchema).length === 0 ? { name: tool.name, input: '{}' } : undefined;
  const value = typeof given === 'string' ? source.objectIn(given) : given;
  if (!isObject(value) || isDefinition(value, tool)) return undefined;
  const input = exactJson(value);
  return input === undefined ? undefined : { name: tool.name, input };
}

/** A model that recites its tools writes schemas where arguments would be. */
function isDefinition({ type, properties }: Readonly<Record<string, unknown>>, { inputSchema }: ToolSpec): boolean {
  return type === 'object' && isObject(properties) && !Object.hasOwn(propertiesOf(inputSchema), 'properties');
}
