// `--trace-mcp`: what is said to servers and by them, as it happens, without keys.

import { oneLine, withoutKeys } from '@ai-agent/core';
import type { Traffic } from '@ai-agent/tools';
import { strikeAll, toBody } from './trace-text.ts';

/** Told everything that passes; writes it, without what is secret by then. */
export function traceServers(write: (text: string) => void, secrets: ReadonlySet<string>): (traffic: Traffic) => void {
  return ({ server, direction, text }) => {
    const arrow = direction === 'sent' ? '⇒' : '⇐';
    const what = direction === 'stderr' ? 'wrote to stderr' : whatIn(text);
    write(`${oneLine(`${arrow} ${server} ${what}`)}\n${toBody(withoutKeys(strikeAll(text, secrets)))}`);
  };
}

/** A message of the protocol in a word: its method, or what it answers. */
function whatIn(text: string): string {
  try {
    const { method, id, error } = JSON.parse(text) as { method?: unknown; id?: unknown; error?: unknown };
    if (typeof method === 'string') return id === undefined ? method : `${method} #${id}`;
    return error === undefined ? `answer to #${id}` : `error for #${id}`;
  } catch {
    return 'something else';
  }
}
