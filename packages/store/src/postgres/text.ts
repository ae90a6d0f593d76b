// Texts as PostgreSQL takes them, and gives them back.

/** As JSON writes it, without the quotes: there is no text that does not fit, and a plain one stays as it is. */
export function toColumn(text: string): string {
  return JSON.stringify(text).slice(1, -1);
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
