// How far calls are, as servers tell it. Tokens are ours: the SDK forgets its own with the result, and what came just before is lost.

import { oneLine } from '@ai-agent/core';
import type { Progress } from '@modelcontextprotocol/client';

type Tell = (text: string) => void;

export class ProgressReports {
  readonly #told = new Map<string, Tell>();
  #count = 0;

  /** Until what it gives is called. */
  begin(tell: Tell): { readonly token: string; end(): void } {
    const token = `call-${++this.#count}`;
    this.#told.set(token, tell);
    return { token, end: () => this.#told.delete(token) };
  }

  see(message: unknown): void {
    const { method, params } = message as { readonly method?: unknown; readonly params?: unknown };
    if (method !== 'notifications/progress' || typeof params !== 'object' || params === null) return;
    const { progressToken, ...progress } = params as Progress & { readonly progressToken?: unknown };
    this.#told.get(String(progressToken))?.(wordsOf(progress));
  }
}

/** `3/10 half way`, as far as the server says it. */
function wordsOf({ progress, total, message }: Progress): string {
  const far = total === undefined ? `${progress}` : `${progress}/${total}`;
  return message === undefined || message === '' ? far : `${far} ${oneLine(String(message))}`;
}
