// What was typed, as what it is: a message, a command, or the beginning of something longer.

export type Typed =
  | { readonly message: string }
  | { readonly command: string; readonly rest: string }
  | { readonly nothing: true };

const mark = '"""';

/** Whether the next line belongs to it: it ends with a backslash, or is a block that nobody has closed. */
export function goesOn(text: string): boolean {
  if (isBlock(text)) return text.trim().length < 2 * mark.length || !text.trimEnd().endsWith(mark);
  return /(?:^|[^\\])(?:\\\\)*\\$/.test(text);
}

/** A text of which nothing more is to come. */
export function readTyped(text: string): Typed {
  const trimmed = text.trim();
  if (trimmed === '') return { nothing: true };
  if (isBlock(text)) return toMessage(withoutMarks(trimmed));
  const joined = text.replace(/(^|[^\\])((?:\\\\)*)\\\n/g, '$1$2\n').trim();
  const [, command, rest = ''] = /^\/(?!\/)(\S*)(?:\s+([\s\S]*))?$/.exec(joined) ?? [];
  if (command !== undefined && isWord(command)) return { command: command.toLowerCase(), rest: rest.trim() };
  return toMessage(joined.startsWith('//') ? joined.slice(1) : joined);
}

function isBlock(text: string): boolean {
  return text.trimStart().startsWith(mark);
}

function withoutMarks(block: string): string {
  const end = block.length > mark.length && block.endsWith(mark) ? -mark.length : undefined;
  return block.slice(mark.length, end).replace(/^[^\S\n]*\n|\n[^\S\n]*$/g, '');
}

function toMessage(message: string): Typed {
  return message.trim() === '' ? { nothing: true } : { message };
}

/** A path is no command: `/etc/hosts is empty`. */
function isWord(command: string): boolean {
  return /^[\p{L}?-]*$/u.test(command);
}
