// The typefaces of a diagram: what draws it writes them into a style sheet as they are, so only plain names pass.

/** Of a list as style sheets have it, the names that need no quotes; the last resort is a face that every system has. */
export function toPlainFont(family: string): string {
  const names = family.split(',').map((name) => name.trim().replace(/^(["'])(.*)\1$/, '$2'));
  const plain = names.filter((name) => plainName.test(name));
  return plain.length > 0 ? plain.join(', ') : 'sans-serif';
}

/** Words that begin with a letter. */
const plainName = /^-?\p{L}[\p{L}\p{N}_-]*( \p{L}[\p{L}\p{N}_-]*)*$/u;
