// The word that was probably meant: for every sentence that says a name is not known.

/** The known word that is closest, or undefined when none is close. Case does not count. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const most = Math.max(2, word.length / 3);
  let found: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    // A longer difference in length alone is already too far: whatever the word is, the work stays small.
    if (Math.abs(candidate.length - word.length) > most) continue;
    const changes = distance(word.toLowerCase(), candidate.toLowerCase());
    if (changes <= most && changes < least) [found, least] = [candidate, changes];
  }
  return found;
}

/** How many letters have to be changed, added or left out. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries())
      next.push(Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)));
    row = next;
  }
  return row.at(-1) ?? 0;
}
