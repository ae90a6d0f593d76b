// Names by pattern: `*` is any letters, `?` is one, and upper case is lower case.

/** Whether a name is one of these. Patterns are compiled here: keep what it gives. */
export function toMatcher(patterns: readonly string[]): (name: string) => boolean {
  const matchers = patterns.map(toPattern);
  return (name) => matchers.some((matcher) => matcher.test(name));
}

function toPattern(glob: string): RegExp {
  // Stars in a row are one: several would try the same letters again and again.
  const escaped = glob
    .replace(/\*+/g, '*')
    .replace(/[.+^$()|[\]\\{}]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${escaped}$`, 'is');
}
