// The agent of a run when the first word is not simply its file: `--agent x.ai`, and `@x.ai`.

import { existsSync } from 'node:fs';
import { flagValues, type Misuse, type Word, type Words } from '../arguments.ts';
import { headendFlags } from './serve/serve-flags.ts';

/** The words with the file where a run looks for it: first, or right after the word run. */
export function toNamedAgent(read: Words | Misuse, commands: readonly string[]): Words | Misuse {
  if ('problem' in read) return read;
  const command = commandIn(read, commands);
  if (command === 'serve') return read;
  if (command === undefined && read.flags.some(([name]) => headendFlags.includes(name))) return toServe(read);
  const isRun = command === 'run';
  const words = isRun ? read.words.slice(1) : read.words;
  const [first, ...rest] = words;
  const [file, other] = flagValues(read, '--agent');
  if (other !== undefined)
    return {
      problem: `--agent ${file} and --agent ${other}: one agent runs at a time. To serve several, say where: --api 8080.`,
    };
  if (file === undefined) return first && isMarked(first) ? toRun([unmarked(first), ...rest], read) : read;
  // A command says itself that it has no such flag.
  if (!isRun && command !== undefined) return read;
  if (isPlain(first) && first.text.endsWith('.ai') && existsSync(first.text))
    return { problem: `--agent ${file} and ${first.text}: one agent runs at a time; name it once.` };
  const flags = read.flags.filter(([name]) => name !== '--agent');
  return toRun([{ text: file, isLiteral: true }, ...words], { flags });
}

/** Behind `--agent` all words are the prompt, also those that are the name of a command. */
function commandIn({ words: [first], flags }: Words, commands: readonly string[]): string | undefined {
  if (!isPlain(first) || !commands.includes(first.text)) return undefined;
  return flags.slice(0, first.flagsBefore).some(([name]) => name === '--agent') ? undefined : first.text;
}

/** With the word run in front, so that no file is taken for a command. */
function toRun(words: readonly Word[], { flags }: Pick<Words, 'flags'>): Words {
  return { words: [{ text: 'run', isLiteral: false }, ...words], flags };
}

/** Every word is an agent then: a server has no prompt. */
function toServe({ words, flags }: Words): Words {
  return { words: [{ text: 'serve', isLiteral: false }, ...words.map(asAgent)], flags };
}

function asAgent(word: Word): Word {
  return isMarked(word) ? unmarked(word) : word;
}

function isPlain(word: Word | undefined): word is Word {
  return word !== undefined && !word.isLiteral;
}

/** A file may really be called so. */
function isMarked({ text, isLiteral }: Word): boolean {
  return !isLiteral && /^@\S/.test(text) && !existsSync(text);
}

function unmarked({ text }: Word): Word {
  return { text: text.slice(1), isLiteral: false };
}
