// `ai-agent sessions tree <id>`: every session, turn and call of it as a tree.

import { flagValue, type Misuse, type Words } from '../../arguments.ts';
import { exitCodes } from '../../exit-codes.ts';
import { drawOpTree } from '../../render/op-tree.ts';
import { toJson } from '../../render/to-json.ts';
import type { Terminal } from '../../terminal.ts';
import { toHeading } from './round-heading.ts';
import { withSession } from './with-session.ts';

export function run(words: Words, terminal: Terminal): Promise<number | Misuse> {
  return withSession(words, terminal, async ({ head, rounds }) => {
    const { stdout, stderr } = terminal;
    const trees = rounds.flatMap(({ tree }) => tree ?? []);
    if (flagValue(words, '--json') !== undefined) stdout.write(`${toJson({ sessionId: head.id, trees }, stdout)}\n`);
    else if (trees.length === 0) stderr.write(`The session ${head.id} has not begun to work.\n`);
    else {
      const drawn = rounds.flatMap((round) =>
        round.tree ? [[...(trees.length > 1 ? [toHeading(round)] : []), ...drawOpTree(round.tree)]] : [],
      );
      stdout.write(`${drawn.map((lines) => lines.join('\n')).join('\n\n')}\n`);
    }
    return exitCodes.ok;
  });
}
