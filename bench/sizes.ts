// How much is measured: all of it, or the small round of `--quick`.

export interface Sizes {
  readonly repetitions: number;
  /** Leads of the measures of CPU, and those that run before, to warm up. */
  readonly cpu: { readonly warm: number; readonly leads: number };
  /** Sessions one after the other. */
  readonly fanOut: { readonly warm: number; readonly leads: number };
  /** Leads whose workers are all held, while memory is measured. */
  readonly memory: { readonly warm: number; readonly leads: number };
  /** Leads whose workers are all held, then answered. */
  readonly held: { readonly leads: number };
  /** Leads before the heap is measured for the first time, and between the first and the second. */
  readonly retained: { readonly warm: number; readonly leads: number };
}

/** Workers of a lead, but for the wide fan-out. */
export const fanOut = 4;
export const wideFanOut = 16;

export const full: Sizes = {
  repetitions: 5,
  cpu: { warm: 100, leads: 200 },
  fanOut: { warm: 4, leads: 9 },
  memory: { warm: 32, leads: 500 },
  held: { leads: 2000 },
  // A lead and its four workers are five sessions: the 2,000th and the 10,000th.
  retained: { warm: 400, leads: 1600 },
};

export const quick: Sizes = {
  repetitions: 1,
  cpu: { warm: 32, leads: 100 },
  fanOut: { warm: 2, leads: 5 },
  memory: { warm: 32, leads: 200 },
  held: { leads: 400 },
  retained: { warm: 200, leads: 400 },
};
