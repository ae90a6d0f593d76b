// Calls that a model wrote as JSON: objects, lists of them, or several in a row.

import { type CallText, type LeakedCall, toCall } from './call-text.ts';

/**
 * Reads up to `closing`, a pattern, which is left where it is, or to the end of the text. Undefined when anything there is
 * no call of an offered tool.
 */
export function readJsonCalls(source: CallText, closing: string): readonly LeakedCall[] | undefined {
  const end = new RegExp(closing, 'y');
  const start = source.at;
  const calls: LeakedCall[] = [];
  while (!isHere(source, end)) {
    const read = valuesOf(source.jsonText());
    const found = read?.map((value) => toCall(value, source));
    if (!found || found.length === 0 || !found.every((call) => call !== undefined))
      return readDamaged(source, start, closing);
    for (const call of found) calls.push(call);
    source.match(/\s*[,;]/y);
  }
  return calls.length > 0 ? calls : undefined;
}

function isHere(source: CallText, closing: RegExp): boolean {
  source.skipBlank();
  closing.lastIndex = source.at;
  return source.isAtEnd || closing.test(source.text);
}

function valuesOf(text: string | undefined): readonly unknown[] | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [value];
  } catch {
    return undefined;
  }
}

/** One object that needs a repair, or stands in a fence. */
function readDamaged(source: CallText, start: number, closing: string): readonly LeakedCall[] | undefined {
  const pattern = new RegExp(closing, 'g');
  pattern.lastIndex = start;
  const end = pattern.exec(source.text)?.index ?? source.text.length;
  source.at = end;
  const call = toCall(source.objectIn(source.text.slice(start, end)), source);
  return call && [call];
}
