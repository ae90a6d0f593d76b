// Documents that were read, for the sessions to come: reading a large one takes a good part of a second.

import { stat } from 'node:fs/promises';
import type { Surroundings } from '../surroundings.ts';
import { Api } from './api.ts';
import { readDocument } from './document.ts';

const maxKept = 16;

// Only remembers what was read: a process has one of these surroundings, and its sessions share them.
const read = new WeakMap<Surroundings, Documents>();

export function documentsOf(surroundings: Surroundings): Documents {
  const documents = read.get(surroundings) ?? new Documents();
  read.set(surroundings, documents);
  return documents;
}

/** A file that was changed is read again. */
export class Documents {
  readonly #kept = new Map<string, { readonly stamp: string; readonly api: Promise<Api> }>();

  /** `owner` names it in complaints. Throws `config-invalid`, `file-missing`. */
  async open(file: string, owner: string): Promise<Api> {
    const stamp = await stampOf(file);
    const known = this.#kept.get(file);
    const api =
      known && known.stamp === stamp ? known.api : readDocument(file, owner).then((document) => new Api(document));
    // The one that was used last is the last to go.
    this.#kept.delete(file);
    this.#kept.set(file, { stamp, api });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxKept && oldest !== undefined) this.#kept.delete(oldest);
    try {
      return await api;
    } catch (error) {
      if (this.#kept.get(file)?.api === api) this.#kept.delete(file);
      throw error;
    }
  }
}

/** What is not there says so when it is read. */
async function stampOf(file: string): Promise<string> {
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  return found ? `${found.mtimeNs} ${found.size} ${found.ino}` : '';
}
