// A text as the title of a row: one line, without the signs of JSON and Markdown.

import { head, oneLine } from '@ai-agent/core';

/** As much as a row has room for. */
const mostCharacters = 160;

export function toTitle(text: string): string {
  return head(oneLine(/^\s*[[{]/.test(text) ? withoutJson(text) : withoutMarkdown(text)), mostCharacters);
}

/** `name: Ann, age: 7`; also of the head of a JSON text, which is none any more. */
function withoutJson(text: string): string {
  try {
    return inWords(JSON.parse(text) as unknown);
  } catch {
    return text
      .replace(/\\[nrt]/g, ' ')
      .replace(/\\?["{}[\]]/g, '')
      .replace(/([:,])(?=\S)/g, '$1 ');
  }
}

function inWords(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return value.map(inWords).join(', ');
  return Object.entries(value)
    .map(([name, one]) => `${name}: ${inWords(one)}`)
    .join(', ');
}

function withoutMarkdown(text: string): string {
  return text
    .replace(/(^|\n)\s*#{1,6}\s+/g, '$1')
    .replace(/\*\*/g, '')
    .replace(/`+/g, '');
}
