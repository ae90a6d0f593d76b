// What both servers of the benchmark say: the same words, whole or piece by piece, to whoever names himself.

export const words = 400;

const text = Array.from({ length: words - 1 }, (_, i) => `word${i % 10} `);

/** The last names who asked. */
export function piecesFor(name: string): readonly string[] {
  return [...text, `for ${name}`];
}

/** One loop of events between two pieces, as between pieces that come over a network: each is written by itself. */
export function nextLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A server that listens in this process. */
export interface Serving {
  readonly url: string;
  /** The same work without a server; nothing where there is none. */
  runInside?(name: string, isStreamed: boolean): Promise<string>;
}
