// Who imports whom inside the repository, types included: cycles, and the longest chain.
import { type Import, readSyntax, type SourceFile } from './syntax.ts';

export type ImportGraph = ReadonlyMap<string, readonly Import[]>;

export interface Cycle {
  /** Where the import stands that closes the circle. */
  readonly path: string;
  readonly line: number;
  readonly chain: readonly string[];
}

export function toImportGraph(files: readonly SourceFile[]): ImportGraph {
  return new Map(files.map((file) => [file.path, readSyntax(file).imports]));
}

/** At least one cycle of every knot; after it is cut, the next one shows. */
export function findCycles(graph: ImportGraph): Cycle[] {
  const cycles: Cycle[] = [];
  const done = new Set<string>();
  const chain: string[] = [];
  const visit = (path: string) => {
    chain.push(path);
    for (const { to, line } of graph.get(path) ?? []) {
      const start = chain.indexOf(to);
      if (start >= 0) cycles.push({ path, line, chain: [...chain.slice(start), to] });
      else if (!done.has(to)) visit(to);
    }
    chain.pop();
    done.add(path);
  };
  for (const path of graph.keys()) {
    if (!done.has(path)) visit(path);
  }
  return cycles;
}

/** The longest way down from one file, itself first. */
export function findLongestChain(graph: ImportGraph, from: string): readonly string[] {
  const known = new Map<string, readonly string[]>();
  const descend = (path: string): readonly string[] => {
    const answer = known.get(path);
    if (answer) return answer;
    // Set before descending, so that a cycle ends here instead of never.
    known.set(path, [path]);
    const below = (graph.get(path) ?? []).map(({ to }) => descend(to));
    const longest = below.reduce((a, b) => (b.length > a.length ? b : a), []);
    known.set(path, [path, ...longest]);
    return [path, ...longest];
  };
  return graph.has(from) ? descend(from) : [];
}
