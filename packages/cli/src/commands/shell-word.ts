// A text as one word of a command line that can be pasted into a shell.

/** Quoted only where it must be; a file is never taken for a flag. */
export function toShellWord(text: string): string {
  const word = /^[-@]/.test(text) ? `./${text}` : text;
  return /^[\w@%+=:,./-]+$/.test(word) ? word : toQuoted(word);
}

/** For bash, zsh and every other shell of their kind. */
export function toQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
