// Tool calls that a model wrote into its text, found where nothing else can have been meant.

import { isObject } from '@ai-agent/core';
import { CallText, type LeakedCall, toCall } from './call-text.ts';
import { type Offer, propertiesOf, requiredOf } from './offer.ts';
import { isToken, openingAt, wholeOpening } from './openings.ts';
import { Prose } from './prose.ts';
import { type Repair, readObject, withoutFence } from './repair-input.ts';
import { readTagCalls } from './tag-calls.ts';
import { readTokenCalls } from './token-calls.ts';

export interface Leaks {
  /** What is left of the text; empty when nothing but blanks is. */
  readonly text: string;
  readonly calls: readonly LeakedCall[];
  /** Whether more might be found with a repair at hand. */
  readonly wantsRepair: boolean;
}

/** Takes time in proportion to the text: the first thing that begins as a call and is none ends the search. */
export function findLeaks(text: string, offer: Offer, repair?: Repair): Leaks {
  if (!/[<[{]/.test(text)) return { text, calls: [], wantsRepair: false };
  const source = new CallText(text, offer, repair);
  const whole = wholeOpening(text.slice(0, 2000).trimStart(), offer) === 'yes' ? readWhole(source) : undefined;
  if (whole) return { text: '', calls: whole, wantsRepair: false };
  const calls: LeakedCall[] = [];
  const rest: string[] = [];
  const prose = new Prose();
  let from = 0;
  while (prose.next(text, true)) {
    if (openingAt({ text, at: prose.at, isLineStart: prose.isLineStart }, offer) !== 'yes') {
      prose.pass(text);
      continue;
    }
    source.at = prose.at;
    const read = isToken(text, prose.at) ? readTokenCalls(source) : readTagCalls(source);
    if (!read || !isFollowedByNothing(source)) break;
    calls.push(...read);
    rest.push(text.slice(from, prose.at));
    from = source.at;
    prose.goTo(from);
  }
  return {
    text: calls.length > 0 ? joined([...rest, text.slice(from)]) : text,
    calls,
    wantsRepair: source.wantsRepair,
  };
}

/** Words on the same line speak about the call, they do not follow it. */
function isFollowedByNothing({ text, at }: CallText): boolean {
  const next = /[^ \t\r]/g;
  next.lastIndex = at;
  const mark = next.exec(text)?.[0] ?? '\n';
  return mark === '\n' || mark === '<' || mark === '[';
}

/** The beginning is as it was, for whoever has heard it already. */
function joined([first = '', ...others]: readonly string[]): string {
  const rest = others.filter((part) => part.trim() !== '').join('');
  return first.trim() === '' ? rest.trimStart() : first + rest;
}

/** Bare JSON, or anything in the one fence that is the text. */
function readWhole(source: CallText): readonly LeakedCall[] | undefined {
  const inner = withoutFence(source.text);
  if (inner[0] === '{' || inner[0] === '[') return readBare(inner, source);
  const { offer } = source;
  // Fences in a fence: then it is not one, but two with something between them.
  if (/^[ \t]*```/m.test(inner)) return undefined;
  const leaks = inner === source.text.trim() ? undefined : findLeaks(inner, offer);
  return leaks && leaks.text === '' && leaks.calls.length > 0 ? leaks.calls : undefined;
}

function readBare(inner: string, source: CallText): readonly LeakedCall[] | undefined {
  const values = inner[0] === '{' ? [readObject(inner) ?? source.objectIn(inner)] : listIn(inner);
  if (values.length === 0 || values.some((value) => mayBeAnswer(value, inner, source.offer))) return undefined;
  const calls = values.map((value) => (hasArguments(value) ? toCall(value, source) : undefined));
  return calls.every((call) => call !== undefined) ? calls : undefined;
}

function listIn(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** Without a tag to tell, a name alone is not enough. */
function hasArguments(value: unknown): boolean {
  if (!isObject(value)) return false;
  if (isObject(value.function)) return hasArguments(value.function);
  return ['arguments', 'parameters', 'input'].some((key) => isObject(value[key]) || typeof value[key] === 'string');
}

/** What the answer may be must not be run, whatever it looks like. */
function mayBeAnswer(value: unknown, inner: string, { output }: Offer): boolean {
  if (output.format !== 'json') return false;
  const { schema } = output;
  if (!schema || inner[0] === '[' || !isObject(value)) return true;
  const properties = propertiesOf(schema);
  if (requiredOf(schema).some((key) => !Object.hasOwn(value, key))) return false;
  return schema.additionalProperties !== false || Object.keys(value).every((key) => Object.hasOwn(properties, key));
}
