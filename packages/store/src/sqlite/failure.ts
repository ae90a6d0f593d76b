// What SQLite and the file system say when they fail, in words that say what to do.

import type { StoreCode, StoreFailure } from '../ask.ts';

/** Nothing has been changed by what threw it. */
export class StoreRefusal extends Error {
  readonly code: StoreCode;
  readonly remedy: string | undefined;

  /** Without a remedy, that of its code. */
  constructor(code: StoreCode, message: string, remedy?: string) {
    super(message);
    this.code = code;
    this.remedy = remedy;
  }
}

export function toFailure(error: unknown, path: string): StoreFailure {
  const { message } = error as Error;
  if (error instanceof StoreRefusal) {
    const { remedy } = error;
    return { code: error.code, message, ...(remedy === undefined ? {} : { remedy }) };
  }
  const code = codeOf(error);
  const why = ofFolder[(error as NodeJS.ErrnoException).code ?? ''] ?? message;
  return {
    code,
    message: `The store ${path} ${words[code]}: ${why}.`,
    ...(isBusy(error) ? { isPassing: true } : {}),
  };
}

/** Others hold it, and it may be tried again. */
export function isBusy(error: unknown): boolean {
  const primary = primaryOf(error);
  return primary === 5 || primary === 6;
}

/** What is wrong with the place, not with what was asked. */
export function isOfPlace(error: unknown): boolean {
  return isBusy(error) || codeOf(error) !== 'store-failed';
}

/** It can be read at most where neither the file nor what SQLite keeps beside it can be written. */
export function isClosedToWriting(error: unknown): boolean {
  const primary = primaryOf(error);
  return primary === 8 || primary === 14;
}

const words: Readonly<Record<StoreCode, string>> = {
  'store-failed': 'could not be used',
  'store-unreachable': 'could not be reached',
  'store-full': 'has no room',
  'store-read-only': 'may not be written',
  'store-newer': 'is of a newer ai-agent',
  'store-damaged': 'is damaged, and is left as it is',
};

function codeOf(error: unknown): StoreCode {
  const known = ofSystem[(error as NodeJS.ErrnoException).code ?? ''];
  if (known) return known;
  const extended = (error as { readonly errcode?: number }).errcode ?? 0;
  return byCode[extended] ?? byCode[extended & 255] ?? 'store-failed';
}

function primaryOf(error: unknown): number {
  return ((error as { readonly errcode?: number }).errcode ?? 0) & 255;
}

/** Where a folder should be on the way to it. */
const ofFolder: Readonly<Record<string, string>> = {
  EEXIST: 'its folder is a file',
  ENOTDIR: 'its folder is a file',
  ENOENT: 'no file can be made in its folder',
};

const ofSystem: Readonly<Record<string, StoreCode>> = {
  EACCES: 'store-read-only',
  EPERM: 'store-read-only',
  EROFS: 'store-read-only',
  ENOSPC: 'store-full',
  EDQUOT: 'store-full',
  EFBIG: 'store-full',
};

/** By the result codes of SQLite. */
const byCode: Readonly<Record<number, StoreCode>> = {
  8: 'store-read-only',
  11: 'store-damaged',
  13: 'store-full',
  26: 'store-damaged',
  // A write that failed, and room for the index of the log: a quota, or the largest file that is allowed.
  778: 'store-full',
  4874: 'store-full',
};
