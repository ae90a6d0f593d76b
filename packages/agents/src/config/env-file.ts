// Variables from a file such as `.ai-agent.env`: NAME=value on each line. What a line holds is never shown.

import type { Problems } from '../problem.ts';

export interface EnvFile {
  readonly variables: ReadonlyMap<string, string>;
  /** True if a line could not be read. */
  readonly isBroken: boolean;
}

/** A line that cannot be read is an error, and left out; of two lines with one name the later counts. */
export function parseEnvFile(text: string, file: string, problems: Problems): EnvFile {
  const variables = new Map<string, string>();
  const errors = problems.errorCount;
  // A byte order mark is white space, and goes with it.
  const lines = text.split(/\r\n|\n|\r/);
  for (const [index, line] of lines.entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    const read = readLine(line);
    if ('wrong' in read) problems.error('env-file-invalid', { file, line: index + 1 }, read.wrong);
    else variables.set(read.name, read.value);
  }
  return { variables, isBroken: problems.errorCount > errors };
}

type Read = { readonly name: string; readonly value: string } | { readonly wrong: string };

function readLine(line: string): Read {
  const [, name, rest = ''] = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=(.*)$/.exec(line) ?? [];
  if (name === undefined)
    return { wrong: 'is not NAME=value; a name has letters, digits and _, and does not begin with a digit' };
  const given = rest.trimStart();
  if (!/^["']/.test(given)) return { name, value: toPlain(rest) };
  const value = toUnquoted(given);
  if (value !== undefined) return { name, value };
  return { wrong: 'has a quote that is not closed, or something after it; a line break in double quotes is \\n' };
}

/** Without a comment, which begins with a # after a space. */
function toPlain(rest: string): string {
  return rest.replace(/\s#.*$/, '').trim();
}

/** After the closing quote only a comment may follow. */
function toUnquoted(given: string): string | undefined {
  const [, single, double] = /^(?:'([^']*)'|"((?:[^"\\]|\\.)*)")\s*(?:#.*)?$/.exec(given) ?? [];
  return single ?? double?.replace(/\\([n"\\])/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped));
}
