// What stands in a form, kept by whoever shows it again later.

import type { Draft } from './draft.ts';

export interface KeptFilling {
  filled?: {
    readonly draft: Draft;
    /** Of the whole, while it is written as JSON. */
    readonly text: string | undefined;
  };
}
