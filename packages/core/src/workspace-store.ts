// What the agents of one run share: texts under keys, for as long as the run lasts.

import { workspaceBounds } from './defaults.ts';
import { AgentError } from './errors.ts';
import { utf8Bytes } from './text.ts';

/** What a tree has put there, that tree alone can get: `originId` is no part of what a model says. */
export interface WorkspaceStore {
  /**
   * Puts in the place of what was there; an empty value takes the key away. Rejects when there is no room for it, with words
   * for the model.
   */
  put(originId: string, key: string, value: string): void | Promise<void>;
  get(originId: string, key: string): string | undefined | Promise<string | undefined>;
  /** Keys that begin so, in order. */
  list(originId: string, prefix: string): readonly WorkspaceEntry[] | Promise<readonly WorkspaceEntry[]>;
  /** The run is over. */
  clear(originId: string): void | Promise<void>;
}

export interface WorkspaceEntry {
  readonly key: string;
  readonly bytes: number;
}

interface Kept {
  readonly values: Map<string, { readonly value: string; readonly bytes: number }>;
  bytes: number;
}

/** In memory, bounded for each run: what does not fit is refused, nothing goes by itself. */
export class MemoryWorkspace implements WorkspaceStore {
  /** Made when first needed: most runs share nothing. */
  #runs: Map<string, Kept> | undefined;

  put(originId: string, key: string, value: string): void {
    const kept = this.#runs?.get(originId) ?? { values: new Map(), bytes: 0 };
    const before = kept.values.get(key);
    const bytes = value === '' ? 0 : utf8Bytes(key) + utf8Bytes(value);
    const sum = kept.bytes - (before?.bytes ?? 0) + bytes;
    if (bytes > 0 && !before && kept.values.size >= workspaceBounds.keys)
      throw full(`it has ${workspaceBounds.keys} keys, and may not have more`);
    if (bytes > 0 && sum > workspaceBounds.bytes)
      throw full(`with this it would have ${sum} bytes, and ${workspaceBounds.bytes} are the most`);
    if (bytes === 0) kept.values.delete(key);
    else kept.values.set(key, { value, bytes });
    kept.bytes = sum;
    this.#runs ??= new Map();
    this.#runs.set(originId, kept);
  }

  get(originId: string, key: string): string | undefined {
    return this.#runs?.get(originId)?.values.get(key)?.value;
  }

  list(originId: string, prefix: string): readonly WorkspaceEntry[] {
    const values = [...(this.#runs?.get(originId)?.values ?? [])].filter(([key]) => key.startsWith(prefix));
    return values
      .map(([key, { value }]) => ({ key, bytes: utf8Bytes(value) }))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  clear(originId: string): void {
    this.#runs?.delete(originId);
  }
}

function full(why: string): AgentError {
  return new AgentError('tool-failed', `The workspace is full: ${why}.`, {
    remedy: 'Put something shorter, or put an empty value under a key that nobody needs any more.',
  });
}
