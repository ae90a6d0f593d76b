// The title of a session for people: what was filled into a form is told without the signs of JSON.

import { oneLine } from '@ai-agent/core';

export function titleWords(title: string): string {
  return title.startsWith('{') ? oneLine(withoutJson(title)) : title;
}

/** `name: Ann, age: 7`; also of the head of a JSON text, which is none any more. */
export function withoutJson(text: string): string {
  try {
    return inWords(JSON.parse(text) as unknown);
  } catch {
    return text
      .replaceAll(/\\(.)/g, (_, sign: string) => escaped[sign] ?? '')
      .replaceAll(/[{}"[\]]/g, '')
      .replaceAll(/[:,](?=\S)/g, '$& ');
  }
}

const escaped: Readonly<Record<string, string>> = { n: ' ', r: ' ', t: ' ', '\\': '\\' };

function inWords(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return value.map(inWords).join(', ');
  return Object.entries(value)
    .map(([name, one]) => `${name}: ${inWords(one)}`)
    .join(', ');
}
