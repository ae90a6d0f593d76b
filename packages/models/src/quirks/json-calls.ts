// Calls that a model wrote as JSON: objects, lists of them, or several in a row.

import { type CallText, type LeakedCall, toCall } from './call-text.ts';

/**
 * Reads up to `closing`, which is left where it is, or to the end of the text. Undefined when anything there is no call of
 * an offered tool.
 */
export function readJsonCalls(source: CallText, closing: RegExp): readonly LeakedCall[] | undefined {
  const start = source.at;
  const calls: LeakedCall[] = [];
  while (!isHere(source, closing)) {
    const read = valuesOf(source.jsonText());
    const found = read?.map((value) => toCall(value, source));
    if (!found || found.length === 0 || !found.every((call) => call !== undefined))
      return readDamaged(source, start, closing);
    calls.push(...found);
    source.match(/\s*[,;]/y);
  }
  return calls.length > 0 ? calls : undefined;
}

function isHere(source: CallText, closing: RegExp): boolean {
  source.skipBlank();
  closing.lastIndex = source.at;
  return source.isAtEnd || closing.exec(source.text)?.index === source.at;
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
function readDamaged(source: CallText, start: number, closing: RegExp): readonly LeakedCall[] | undefined {
  closing.lastIndex = start;
  const end = closing.exec(source.text)?.index ?? source.text.length;
  source.at = end;
  const call = toCall(source.objectIn(source.text.slice(start, end)), source);
  return call && [call];
}
