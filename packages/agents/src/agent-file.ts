// An agent file as its author wrote it: shebang, frontmatter, prompt.

export interface AgentText {
  /** Missing when the file is a prompt and nothing else. */
  readonly frontmatter?: Section;
  readonly body: Section;
}

/** A part of a file, and the line it begins in. */
export interface Section {
  readonly text: string;
  readonly firstLine: number;
}

/** Undefined when the frontmatter is opened and never closed. */
export function splitAgentFile(source: string): AgentText | undefined {
  const lines = source
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .split('\n');
  const top = lines[0]?.startsWith('#!') ? 1 : 0;
  const start = lines.findIndex((line, i) => i >= top && line.trim() !== '');
  if (!isOpeningFence(lines[start])) return { body: section(lines, top) };
  const end = lines.findIndex((line, i) => i > start && isFence(line));
  if (end < 0) return undefined;
  return { frontmatter: section(lines.slice(0, end), start + 1), body: section(lines, end + 1) };
}

/** Whether it begins like a file that has options, for telling agents from other Markdown. */
export function hasFrontmatter(source: string): boolean {
  return splitAgentFile(source)?.frontmatter !== undefined;
}

/** The line of what looks like a frontmatter and is part of the prompt, because something stands above it. */
export function strayFrontmatter(
  { frontmatter, body }: AgentText,
  isKey: (word: string) => boolean,
): number | undefined {
  if (frontmatter) return undefined;
  const lines = body.text.split('\n');
  const open = lines.findIndex(isFence);
  const close = lines.findIndex((line, i) => i > open && isFence(line));
  if (open < 0 || close < 0) return undefined;
  const isOne = lines.slice(open + 1, close).some((line) => isKey(/^(\w+)\s*:/.exec(line)?.[1] ?? ''));
  return isOne ? body.firstLine + open : undefined;
}

/** YAML allows a comment behind it. */
function isOpeningFence(line: string | undefined): boolean {
  return line !== undefined && /^---[ \t]*(?:#.*)?$/.test(line);
}

function isFence(line: string | undefined): boolean {
  return line !== undefined && /^---[ \t]*$/.test(line);
}

function section(lines: readonly string[], from: number): Section {
  return { text: lines.slice(from).join('\n'), firstLine: from + 1 };
}
