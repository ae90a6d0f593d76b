// How much is measured: all of it, or the small round of `--quick`.

export interface Sizes {
  readonly repetitions: number;
  /** Starts of each command. */
  readonly starts: number;
  /** Parents of the measures of CPU, and those that run before, to warm up. */
  readonly cpu: { readonly warm: number; readonly parents: number };
  /** Sessions one after the other. */
  readonly fanOut: { readonly warm: number; readonly parents: number };
  /** Parents whose children are all held, while memory is measured. */
  readonly memory: { readonly warm: number; readonly parents: number };
  /** Parents whose children are all held, then answered. */
  readonly held: { readonly parents: number };
  /** Parents before the heap is measured for the first time, and between the first and the second. */
  readonly retained: { readonly warm: number; readonly parents: number };
  /** Requests to a server that are answered whole, those that are streamed, and those before, to warm up. */
  readonly served: { readonly warm: number; readonly requests: number; readonly streams: number };
}

/** Children of a parent, but for the wide fan-out. */
export const fanOut = 4;
export const wideFanOut = 16;

export const full: Sizes = {
  repetitions: 5,
  starts: 21,
  cpu: { warm: 100, parents: 200 },
  fanOut: { warm: 4, parents: 15 },
  memory: { warm: 32, parents: 500 },
  held: { parents: 2000 },
  // A parent and its four children are five sessions: the 2,000th and the 10,000th.
  retained: { warm: 400, parents: 1600 },
  served: { warm: 5000, requests: 3000, streams: 150 },
};

export const quick: Sizes = {
  repetitions: 1,
  starts: 5,
  cpu: { warm: 32, parents: 100 },
  fanOut: { warm: 2, parents: 5 },
  memory: { warm: 32, parents: 200 },
  held: { parents: 400 },
  retained: { warm: 200, parents: 400 },
  served: { warm: 500, requests: 500, streams: 32 },
};
