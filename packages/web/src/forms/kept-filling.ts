// What stands in a form, kept by whoever shows it again later.

import { useState } from 'react';
import type { Draft } from './draft.ts';

export interface KeptFilling {
  filled?: {
    readonly draft: Draft;
    /** Of the whole, while it is written as JSON. */
    readonly text: string | undefined;
  };
  /** Of an answer in words, or the choice that was made. */
  words?: string;
}

/** What is written, or nothing, and how to write something else. */
export function useKeptWords(kept: KeptFilling = {}): readonly [string | undefined, (words: string) => void] {
  const [words, setWords] = useState(kept.words);
  const write = (written: string) => {
    kept.words = written;
    setWords(written);
  };
  return [words, write];
}
