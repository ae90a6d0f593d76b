// Answers in a folder of the user's own, found again by the next process: one file each, never half read, and bounded.

import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, stat, unlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentError, isObject, messageOf, type ResultCache, withoutKeys } from '@ai-agent/core';
import { randomIds, systemClock } from './platform.ts';

export interface FileCacheOptions {
  /** Made when something is kept in it. Nobody else may be able to write there. */
  readonly folder: string;
  /** When there are more, the oldest go. @default 5000 */
  readonly maxEntries?: number;
  /** Of the files together. @default 256 MB */
  readonly maxBytes?: number;
  /** @default that of the process */
  readonly clock?: { now(): number };
}

/** Of the packed text; what is larger is worked out again. */
const maxEntryBytes = 64 * 1024 * 1024;
const ours = /^[\da-f]{64}\.gz$/;
const ourDraft = /^[\da-f]{64}\.gz\.[\w-]+\.tmp$/;
const draftLivesMs = 3_600_000;

/** For several processes at once: the last one who writes wins. Rejects where the folder cannot be used. */
export class FileCache implements ResultCache {
  readonly #folder: string;
  readonly #maxEntries: number;
  readonly #maxBytes: number;
  readonly #clock: { now(): number };
  /** What is being written: whoever ends the process waits for it. */
  readonly #writing = new Set<Promise<void>>();
  #untrimmed = Number.POSITIVE_INFINITY;

  constructor({ folder, maxEntries = 5_000, maxBytes = 256 * 1024 * 1024, clock = systemClock }: FileCacheOptions) {
    this.#folder = folder;
    this.#maxEntries = maxEntries;
    this.#maxBytes = maxBytes;
    this.#clock = clock;
  }

  async get(key: string): Promise<string | undefined> {
    const path = await this.#pathOf(key);
    const packed = await read(path);
    if (packed === undefined) return undefined;
    const entry = await unpack(packed).catch(() => undefined);
    if (entry && entry.until > this.#clock.now()) return entry.value;
    // Over, or damaged: nobody will want it.
    await unlink(path).catch(() => {});
    return undefined;
  }

  put(key: string, value: string, ttlMs: number): Promise<void> {
    const writing = this.#write(key, value, ttlMs).finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
    return writing;
  }

  /** When all that was to be kept is kept, or could not be. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#writing);
  }

  async #write(key: string, value: string, ttlMs: number): Promise<void> {
    // What looks like a key is not left lying about.
    if (withoutKeys(value) !== value) return;
    const now = this.#clock.now();
    const packed = await pack({ until: now + ttlMs, value });
    if (packed.byteLength > Math.min(maxEntryBytes, this.#maxBytes)) return;
    await makeFolder(this.#folder);
    const path = await this.#pathOf(key);
    const draft = `${path}.${randomIds.next()}.tmp`;
    try {
      const file = await open(draft, 'wx', 0o600);
      try {
        await file.writeFile(packed);
      } finally {
        await file.close();
      }
      await utimes(draft, now / 1_000, now / 1_000);
      await rename(draft, path);
    } catch (error) {
      await unlink(draft).catch(() => {});
      throw error;
    }
    await this.#trim();
  }

  async #pathOf(key: string): Promise<string> {
    const { createHash } = await import('node:crypto');
    return join(this.#folder, `${createHash('sha256').update(key).digest('hex')}.gz`);
  }

  /** With the first entry of a process, and then from time to time. What is not named like ours is not touched. */
  async #trim(): Promise<void> {
    this.#untrimmed++;
    if (this.#untrimmed < this.#maxEntries / 50) return;
    this.#untrimmed = 0;
    const names = await readdir(this.#folder);
    const files = (await Promise.all(names.filter((name) => ours.test(name)).map((name) => this.#look(name)))).flat();
    files.sort((a, b) => b.at - a.at);
    let bytes = 0;
    const over = files.filter((file, i) => {
      bytes += file.bytes;
      return i >= this.#maxEntries || bytes > this.#maxBytes;
    });
    const drafts = await Promise.all(names.filter((name) => ourDraft.test(name)).map((name) => this.#look(name)));
    const left = drafts.flat().filter(({ at }) => at < this.#clock.now() - draftLivesMs);
    await Promise.all([...over, ...left].map(({ path }) => unlink(path).catch(() => {})));
  }

  /** Nothing for what is gone by now. */
  async #look(name: string) {
    const path = join(this.#folder, name);
    const stats = await lstat(path).catch(() => undefined);
    return stats ? [{ path, at: stats.mtimeMs, bytes: stats.size }] : [];
  }
}

interface Entry {
  /** Milliseconds since 1970. */
  readonly until: number;
  readonly value: string;
}

async function pack(entry: Entry): Promise<Uint8Array> {
  const { gzip } = await import('node:zlib');
  return new Promise((resolve, reject) => {
    gzip(JSON.stringify(entry), (error, packed) => (error ? reject(error) : resolve(packed)));
  });
}

async function unpack(packed: Uint8Array): Promise<Entry | undefined> {
  const { gunzip } = await import('node:zlib');
  const plain = await new Promise<Buffer>((resolve, reject) => {
    gunzip(packed, { maxOutputLength: 4 * maxEntryBytes }, (error, unpacked) =>
      error ? reject(error) : resolve(unpacked),
    );
  });
  const entry: unknown = JSON.parse(plain.toString('utf8'));
  if (!isObject(entry) || typeof entry.until !== 'number' || typeof entry.value !== 'string') return undefined;
  return { until: entry.until, value: entry.value };
}

/** Undefined for what is not there, and for what is not ours. */
async function read(path: string): Promise<Uint8Array | undefined> {
  // A link leads elsewhere, and is not followed.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => undefined);
  if (!file) return undefined;
  try {
    const stats = await file.stat();
    const isOwn = process.getuid === undefined || stats.uid === process.getuid();
    return stats.isFile() && isOwn && stats.size <= maxEntryBytes ? await file.readFile() : undefined;
  } finally {
    await file.close();
  }
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw refuse(folder, messageOf(error), error);
  }
  const stats = await stat(folder);
  if (process.getuid === undefined) return;
  if (stats.uid !== process.getuid()) throw refuse(folder, 'it belongs to another user');
  if ((stats.mode & 0o022) !== 0) throw refuse(folder, 'others can write there');
}

function refuse(folder: string, reason: string, cause?: unknown): AgentError {
  return new AgentError('file-refused', `Answers are not kept in ${folder}: ${reason}.`, {
    remedy: 'Name another folder as cache.path, or make this one yours alone: chmod 700.',
    cause,
  });
}
