// `ai-agent sessions tree <id>`: every session, turn and call of it as a tree.

import { oneLine } from '@ai-agent/core';
import { flagValue, type Misuse, type Words } from '../../arguments.ts';
import { exitCodes } from '../../exit-codes.ts';
import { toKeptTree } from '../../render/kept-tree.ts';
import { drawOpTree } from '../../render/op-tree.ts';
import { toJson } from '../../render/to-json.ts';
import type { Terminal } from '../../terminal.ts';
import { withSession } from './with-session.ts';

export function run(words: Words, terminal: Terminal): Promise<number | Misuse> {
  return withSession(words, terminal, async ({ head, rounds }) => {
    const { stdout, stderr } = terminal;
    const trees = rounds.flatMap(({ tree }) => tree ?? []);
    if (flagValue(words, '--json') !== undefined) stdout.write(`${toJson({ sessionId: head.id, trees }, stdout)}\n`);
    else if (trees.length === 0) stderr.write(`The session ${head.id} has not begun to work.\n`);
    else {
      const style = { isBrief: false, isInterrupted: head.status === 'interrupted' };
      const drawn = trees.map((tree, i) => [
        ...(trees.length > 1 ? [`Round ${i + 1}: ${oneLine(tree.input).slice(0, 200)}`] : []),
        ...drawOpTree(toKeptTree(tree, style)),
      ]);
      stdout.write(`${drawn.map((lines) => lines.join('\n')).join('\n\n')}\n`);
    }
    return exitCodes.ok;
  });
}
