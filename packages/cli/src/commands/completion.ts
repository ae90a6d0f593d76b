// `ai-agent completion bash|zsh|fish`: a script for a shell, made of the table of commands.

import type { Words } from '../arguments.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { toBash } from './completion/bash.ts';
import { toFish } from './completion/fish.ts';
import { completed, type Row } from './completion/known.ts';
import { toZsh } from './completion/zsh.ts';
import { misuse } from './misuse.ts';

const shells: Readonly<Record<string, typeof toBash>> = { bash: toBash, zsh: toZsh, fish: toFish };

/** The command, for whoever has the table: that loads this, and not the other way round. */
export function completionOf(commands: Readonly<Record<string, Row>>) {
  return {
    run({ words }: Words, terminal: Terminal): number {
      const [shell = '', another] = words.map(({ text }) => text);
      const toScript = Object.hasOwn(shells, shell) && another === undefined ? shells[shell] : undefined;
      const help = 'ai-agent completion --help';
      if (!toScript) return misuse(terminal, 'For which shell? Say one of bash, zsh and fish.', { help });
      terminal.stdout.write(toScript(completed(commands)));
      return exitCodes.ok;
    },
  };
}
