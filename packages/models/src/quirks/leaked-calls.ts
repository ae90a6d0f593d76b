// Tool calls that a model wrote into its text, found where nothing else can have been meant.

import { isObject } from '@ai-agent/core';
import { CallText, type LeakedCall, toCall } from './call-text.ts';
import { isShown } from './echoes.ts';
import { type Offer, propertiesOf, requiredOf } from './offer.ts';
import { isToken, lineOpening, mayBeReport, namespace, openingAt, wholeOpening, wrappers } from './openings.ts';
import { Prose } from './prose.ts';
import { type Repair, readObject, withoutFence } from './repair-input.ts';
import { readTagCalls } from './tag-calls.ts';
import { maxBlank } from './thoughts.ts';
import { readTokenCalls } from './token-calls.ts';

export interface Leaks {
  /** Where the calls begin: what is before is text, and nothing is after them. */
  readonly at: number;
  readonly calls: readonly LeakedCall[];
  /** Whether more might be found with a repair at hand. */
  readonly wantsRepair: boolean;
}

export interface Search {
  readonly offer: Offer;
  /** The provider says that the reply ended with calls. */
  readonly isCallSaid: boolean;
  readonly repair: Repair | undefined;
}

/**
 * Calls end the text: with anything else behind them they are shown, not made. Takes time in proportion to the text: the
 * first thing that begins as a call and is none ends the search.
 */
export function findLeaks(text: string, { offer, isCallSaid, repair }: Search): Leaks {
  const none = { at: text.length, calls: [], wantsRepair: false };
  if (!/[<[{]/.test(text)) return none;
  const source = new CallText(text, offer, repair);
  const start = text.slice(0, 2000).trimStart();
  const whole = wholeOpening(start, offer) === 'yes' ? readWhole(source, isCallSaid) : undefined;
  if (whole) return { at: 0, calls: whole, wantsRepair: false };
  const at = offer.output.format === 'json' && mayBeReport(start) === 'yes' ? undefined : beginningIn(text, offer);
  if (at === undefined) return { ...none, wantsRepair: source.wantsRepair };
  source.at = at;
  const isBlankBefore = text.slice(0, at).trim() === '';
  const calls = readToEnd(source, isBlankBefore) ?? [];
  return { at: isBlankBefore && at <= maxBlank ? 0 : at, calls, wantsRepair: source.wantsRepair };
}

/** Where something begins as calls do. */
function beginningIn(text: string, offer: Offer): number | undefined {
  const prose = new Prose();
  for (let at = 0; at < text.length; ) {
    const { opening, indent } = lineOpening({ text, at, prose }, offer);
    if (opening === 'yes') return at + indent;
    const end = text.indexOf('\n', at);
    prose.take(text.slice(at, end === -1 ? text.length : end));
    at = end === -1 ? text.length : end + 1;
  }
  return undefined;
}

/** Tokens that end a turn, and closing tags of what was never opened. */
const ends = new RegExp(
  `(?:\\s*(?:</${namespace}(?:${wrappers.join('|')}|function)>|<\\|(?:eom_id|eot_id|im_end|end|endoftext)\\|>|<｜end▁of▁sentence｜>|</s>))*\\s*`,
  'y',
);

function readToEnd(source: CallText, isFirst: boolean): readonly LeakedCall[] | undefined {
  const { text, offer } = source;
  const calls: LeakedCall[] = [];
  while (!source.isAtEnd) {
    const { at } = source;
    if (openingAt({ text, at, isFirst }, offer) !== 'yes') return undefined;
    const read = isToken(text, at) ? readTokenCalls(source) : readTagCalls(source);
    const written = text.slice(at, source.at);
    if (!read || isShown(written, read, offer.shown)) return undefined;
    for (const call of read) calls.push(call);
    source.match(ends);
  }
  return calls;
}

/** Bare JSON, or anything in the one fence that is the text. A fence shows things, unless the provider says otherwise. */
function readWhole(source: CallText, isCallSaid: boolean): readonly LeakedCall[] | undefined {
  const { offer } = source;
  const inner = withoutFence(source.text);
  const isFenced = inner !== source.text.trim();
  // Fences in a fence: then it is not one, but two with something between them.
  if (isFenced && (!isCallSaid || /^[ \t]*```/m.test(inner))) return undefined;
  if (inner[0] === '{' || inner[0] === '[') {
    const calls = readBare(inner, source);
    if (calls) return isShown(inner, calls, offer.shown) ? undefined : calls;
  }
  const leaks = isFenced ? findLeaks(inner, { offer, isCallSaid: false, repair: undefined }) : undefined;
  return leaks && leaks.at === 0 && leaks.calls.length > 0 ? leaks.calls : undefined;
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
