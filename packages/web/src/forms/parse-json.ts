// JSON that somebody writes: the value, or why it is none yet.

import type { Json } from '@ai-agent/core';

export type Parsed = { readonly value: Json } | { readonly problem: string };

export const notJson = 'This is not JSON yet';

export function parseJson(text: string): Parsed {
  try {
    return { value: JSON.parse(text) as Json };
  } catch (error) {
    const message = error instanceof Error ? error.message.replace(/^JSON\.parse: /, '') : String(error);
    return { problem: `${notJson}: ${message}` };
  }
}

/** Written over several lines; what is nested too deeply for that is not shown. */
export function toText(value: Json): string {
  try {
    return JSON.stringify(value, null, 2);
  } catch {
    return '';
  }
}
