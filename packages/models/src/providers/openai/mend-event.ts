// An event that lacks nothing but its last brackets: some gateways take them away.

import { isObject } from '@ai-agent/core';

/** Only where a reply begins or ends: what is said in it, nobody guesses. */
const frames = new Set(
  ['created', 'queued', 'in_progress', 'completed', 'incomplete'].map((type) => `response.${type}`),
);

/** Undefined when more than that is missing, or when it is another event. */
export function mendEvent(text: string): Readonly<Record<string, unknown>> | undefined {
  const missing = bracketsMissingIn(text);
  if (missing === undefined) return undefined;
  try {
    const event: unknown = JSON.parse(text + missing);
    return isObject(event) && frames.has(String(event.type)) ? event : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined when the text ends within a string. */
function bracketsMissingIn(text: string): string | undefined {
  const open: string[] = [];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|["{}[\]]/g)) {
    if (token === '"') return undefined;
    if (token === '{') open.push('}');
    else if (token === '[') open.push(']');
    else if (token === '}' || token === ']') open.pop();
  }
  return open.reverse().join('');
}
