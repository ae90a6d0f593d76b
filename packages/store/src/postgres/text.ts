// Texts as PostgreSQL takes them, and gives them back.

/** As JSON writes it, without the quotes: there is no text that does not fit, and a plain one stays as it is. */
export function toColumn(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

export function fromColumn(column: string): string {
  return JSON.parse(`"${column}"`) as string;
}

/** The first of all that come behind those that begin so, in the order of the characters. Nothing where none does. */
export function toBehind(beginning: string): string | undefined {
  const characters = Array.from(beginning, (character) => character.codePointAt(0) ?? 0);
  while (characters.at(-1) === 0x10ffff) characters.pop();
  const last = characters.pop();
  // Halves of pairs are no characters.
  return last === undefined ? undefined : String.fromCodePoint(...characters, last === 0xd7ff ? 0xe000 : last + 1);
}

/** Where nothing is the empty text, the empty text is something else. */
export function toColumnOrEmpty(text: string | null | undefined): string {
  if (text === null || text === undefined) return '';
  return text === '' ? '\\e' : toColumn(text);
}

/** A name in a statement. */
export function escapeIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text in a statement that takes no parameters. */
export function escapeLiteral(text: string): string {
  return `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\0', '')}'`;
}
