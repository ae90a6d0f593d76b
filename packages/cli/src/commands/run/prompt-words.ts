// The prompt of a run from its words: text, `@file`, `-` for the standard input.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { messageOf } from '@ai-agent/core';
import type { Word } from '../../arguments.ts';

export interface Input {
  readonly cwd: string;
  readonly isTerminal: boolean;
  /** Whether somebody pipes something in; it may never end, so that it is read only when it is asked for. */
  readonly isPiped: boolean;
  /** The whole standard input. */
  read(): Promise<string>;
  /** The same line by line, as they come, until its end or until the signal. */
  lines(signal: AbortSignal): AsyncIterable<string>;
}

export type PromptRead = { readonly prompt: string } | { readonly problem: string };

/** Without words, what is piped in. Files and the standard input are paragraphs of their own. */
export async function toPrompt(words: readonly Word[], input: Input): Promise<PromptRead> {
  if (words.length === 0 && input.isTerminal)
    return { problem: 'There is no prompt: write one after the file, or pipe it in.' };
  const given = words.length === 0 ? [{ text: '-', isLiteral: false }] : words;
  const paragraphs: string[] = [];
  let line: string[] = [];
  for (const word of given) {
    const source = toSource(word);
    if (source === undefined) {
      line.push(word.text);
      continue;
    }
    const read = source === '-' ? { text: await input.read() } : readPrompt(source, input.cwd);
    if ('problem' in read) return read;
    paragraphs.push(line.join(' '), withoutLastBreak(read.text));
    line = [];
  }
  const prompt = [...paragraphs, line.join(' ')].filter((part) => part !== '').join('\n\n');
  return prompt.trim() === '' ? { problem: 'The prompt is empty: say what you want.' } : { prompt };
}

/** Whether something is piped in that the words do not ask for. */
export function isPipeLeftOut(words: readonly Word[], { isPiped }: Input): boolean {
  return isPiped && words.length > 0 && !words.some((word) => toSource(word) === '-');
}

/** A file name has no spaces in front of its end: "@anna said hello" is text. */
function toSource({ text, isLiteral }: Word): string | undefined {
  if (isLiteral) return undefined;
  if (text === '-') return '-';
  return /^@\S+$/.test(text) ? text.slice(1) : undefined;
}

function readPrompt(path: string, cwd: string): { readonly text: string } | { readonly problem: string } {
  try {
    return { text: readFileSync(resolve(cwd, path), 'utf8') };
  } catch (error) {
    return { problem: `@${path} cannot be read: ${inWords(error)}. To say it as text, put -- before it.` };
  }
}

/** What goes wrong most, in plain words. */
function inWords(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'there is no such file';
  return code === 'EISDIR' ? 'it is a folder' : messageOf(error);
}

function withoutLastBreak(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/\r?\n$/, '');
}
