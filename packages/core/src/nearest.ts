// Which known word was probably meant.

/** Undefined when nothing is close. Case does not count. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const ranked = known.map((name) => [distance(word, name), name] as const).sort(([a], [b]) => a - b);
  const [closest] = ranked;
  return closest && closest[0] <= Math.max(2, Math.floor(word.length / 3)) ? closest[1] : undefined;
}

/** How many letters have to be changed, added or left out. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...a.toLowerCase()].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b.toLowerCase()].entries())
      next.push(Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)));
    row = next;
  }
  return row.at(-1) ?? 0;
}
