// `--format`: what the answer is when the file does not say it, in the words that people know.

import { type Agent, nearest, type OutputContract } from '@ai-agent/core';

type Format = OutputContract['format'];

const formats: ReadonlyMap<string, Format> = new Map([
  ...['text', 'plain', 'plaintext', 'plain-text', 'pipe', 'tty', 'ansi', 'terminal', 'sub-agent'].map(
    (id) => [id, 'text'] as const,
  ),
  ['markdown', 'markdown'],
  ['markdown+mermaid', 'markdown'],
  // Blocks are made of it where Slack is.
  ['slack-block-kit', 'markdown'],
  ['json', 'json'],
]);

export type FormatRead = { readonly format?: Format } | { readonly problem: string };

export function readFormat(id: string | undefined): FormatRead {
  if (id === undefined) return {};
  const format = formats.get(id.trim().toLowerCase());
  if (format !== undefined) return { format };
  const close = nearest(id, [...formats.keys()]);
  const meant = close === undefined ? '' : ` Did you mean ${close}?`;
  return { problem: `There is no format ${id}; there are ${[...formats.keys()].join(', ')}.${meant}` };
}

export interface FormatHeld {
  /** What the session is asked for; undefined when the agent's own contract holds. */
  readonly output?: OutputContract;
  /** What should be known: the file says something else. */
  readonly note?: string;
}

/** A contract in the file stands, because callers rely on it. */
export function holdFormat(
  { name, output: own }: Agent,
  format: Format | undefined,
): FormatHeld | { readonly problem: string } {
  if (format === undefined || own?.format === format) return {};
  if (!own) return { output: { format } };
  const says = `The file of ${name} says that its output is ${own.format}`;
  if (format === 'json') return { problem: `${says}; --format json cannot change that. Change output in the file.` };
  return { note: `${says}, and that holds; --format ${format} is for files that say nothing.` };
}
