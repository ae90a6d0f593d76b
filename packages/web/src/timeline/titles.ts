// A text as the title of a row: one line, without the signs of JSON and Markdown.

import { head, oneLine } from '@ai-agent/core';
import { withoutJson } from '../app/title.ts';

/** As much as a row has room for. */
const mostCharacters = 160;

export function toTitle(text: string): string {
  return head(oneLine(/^\s*[[{]/.test(text) ? withoutJson(text) : withoutMarkdown(text)), mostCharacters);
}

function withoutMarkdown(text: string): string {
  return text
    .replace(/(^|\n)\s*#{1,6}\s+/g, '$1')
    .replace(/\*\*/g, '')
    .replace(/`+/g, '');
}
