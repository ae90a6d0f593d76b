// How far calls are, as servers tell it. Tokens are ours: the SDK forgets its own with the result, and what came just before is lost.

import { oneLine } from '@ai-agent/core';

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
    const { progressToken, ...progress } = params as Report & { readonly progressToken?: unknown };
    const tell = typeof progressToken === 'string' ? this.#told.get(progressToken) : undefined;
    const words = tell ? wordsOf(progress) : '';
    if (words !== '') tell?.(words);
  }
}

interface Report {
  readonly progress?: unknown;
  readonly total?: unknown;
  readonly message?: unknown;
}

/** `3/10 half way`, as far as the server says it. Nobody has checked what it says. */
function wordsOf({ progress, total, message }: Report): string {
  const far = typeof progress === 'number' ? `${progress}${typeof total === 'number' ? `/${total}` : ''}` : '';
  return `${far} ${typeof message === 'string' ? oneLine(message) : ''}`.trim();
}
