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
  const start = lines[0]?.startsWith('#!') ? 1 : 0;
  if (!isFence(lines[start])) return { body: section(lines, start) };
  const end = lines.findIndex((line, i) => i > start && isFence(line));
  if (end < 0) return undefined;
  return { frontmatter: section(lines.slice(0, end), start + 1), body: section(lines, end + 1) };
}

/** Whether it begins like a file that has options, for telling agents from other Markdown. */
export function hasFrontmatter(source: string): boolean {
  return splitAgentFile(source)?.frontmatter !== undefined;
}

function isFence(line: string | undefined): boolean {
  return line !== undefined && /^---[ \t]*$/.test(line);
}

function section(lines: readonly string[], from: number): Section {
  return { text: lines.slice(from).join('\n'), firstLine: from + 1 };
}
