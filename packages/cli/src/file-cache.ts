// Answers in a folder of the user's own, found again by the next process: one file each, never half read, and bounded.

import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, stat, unlink, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AgentError, isAgentError, isObject, messageOf, type ResultCache, withoutKeys } from '@ai-agent/core';
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
    const found = await read(path);
    if (found === undefined) return undefined;
    const entry = await unpack(found.packed).catch(() => undefined);
    if (entry && entry.until > this.#clock.now() && !this.#isAhead(found.at)) return entry.value;
    // Over, damaged, or of nobody knows when: nobody will want it.
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
    try {
      await this.#keep(key, value, ttlMs);
    } catch (error) {
      throw isAgentError(error) ? error : refuse(this.#folder, messageOf(error), error);
    }
  }

  async #keep(key: string, value: string, ttlMs: number): Promise<void> {
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
    // Whatever the clock was when they were written: they must not outlive all others.
    const age = ({ at }: { readonly at: number }) => (this.#isAhead(at) ? 0 : at);
    files.sort((a, b) => age(b) - age(a));
    let bytes = 0;
    const over = files.filter((file, i) => {
      bytes += file.bytes;
      return i >= this.#maxEntries || bytes > this.#maxBytes;
    });
    const drafts = await Promise.all(names.filter((name) => ourDraft.test(name)).map((name) => this.#look(name)));
    const left = drafts.flat().filter(({ at }) => at < this.#clock.now() - draftLivesMs);
    await Promise.all([...over, ...left].map(({ path }) => unlink(path).catch(() => {})));
  }

  /** Of two machines one may be some seconds ahead. */
  #isAhead(at: number): boolean {
    return at > this.#clock.now() + 60_000;
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
async function read(path: string): Promise<{ readonly packed: Uint8Array; readonly at: number } | undefined> {
  // A link leads elsewhere, and is not followed; a pipe would be waited for.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(() => undefined);
  if (!file) return undefined;
  try {
    const stats = await file.stat();
    const isOwn = process.getuid === undefined || stats.uid === process.getuid();
    if (!stats.isFile() || !isOwn || stats.size > maxEntryBytes) return undefined;
    return { packed: await file.readFile(), at: stats.mtimeMs };
  } finally {
    await file.close();
  }
}

async function makeFolder(folder: string): Promise<void> {
  await makeAll(folder);
  const stats = await stat(folder);
  if (!stats.isDirectory()) throw refuse(folder, 'it is no folder');
  if (process.getuid === undefined) return;
  if (stats.uid !== process.getuid()) throw refuse(folder, 'it belongs to another user');
  if ((stats.mode & 0o022) !== 0) throw refuse(folder, 'others can write there');
}

/** Node's own way tries for ever where a folder is there and takes none, as /proc. */
async function makeAll(folder: string): Promise<void> {
  const make = () =>
    mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
  await make().catch(async (error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
    const parent = dirname(folder);
    if (!(await stat(parent).catch(() => undefined))) await makeAll(parent);
    await make();
  });
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}

const fullCodes = ['ENOSPC', 'EDQUOT', 'EFBIG'];

function refuse(folder: string, reason: string, cause?: unknown): AgentError {
  const isFull = fullCodes.includes(codeOf(cause) ?? '');
  const known = isFull ? 'Make room there, or name' : 'Name';
  const own = cause === undefined ? ', or make this one yours alone: chmod 700' : '';
  return new AgentError('file-refused', `Answers are not kept in ${folder}: ${reason}.`, {
    remedy: `${known} a folder that you can write to as cache.path in the configuration${own}.`,
    cause,
  });
}
