// Fences of code in Markdown: which one is open, and one that nothing in its text closes.

/** The fence that is open after a line, or nothing. */
export function followFence(line: string, open: string): string {
  const [, marks = '', rest = ''] = /^[\s>]*(?:[-*+]\s+|\d{1,9}[.)]\s+)*(`{3,}|~{3,})(.*)/.exec(line) ?? [];
  if (marks === '') return open;
  if (open === '') return marks.startsWith('`') && rest.includes('`') ? '' : marks;
  return marks.startsWith(open) && rest.trim() === '' ? '' : open;
}

/** Longer than every row of backticks in it. `language`: what stands beside the fence. */
export function toFenced(text: string, language = ''): string {
  let longest = 2;
  for (const [row] of text.matchAll(/`+/g)) longest = Math.max(longest, row.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}
