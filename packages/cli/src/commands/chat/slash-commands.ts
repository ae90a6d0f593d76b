// What can be said to a talk itself: lines that begin with a slash.

import { ledgerOf, nearest } from '@ai-agent/core';
import { sizeOf } from '../../render/screen.ts';
import type { Terminal } from '../../terminal.ts';
import type { Round } from './rounds.ts';
import type { Talk } from './talk.ts';
import { sayDim } from './talk-words.ts';

export interface Commanding {
  readonly talk: Talk;
  readonly terminal: Terminal;
  /** Asks whoever sits there yes or no; no where nobody does. */
  readonly confirm: (question: string) => Promise<boolean>;
}

interface SlashCommand {
  readonly words: string;
  readonly about: string;
  /** What comes after it. */
  run(rest: string, commanding: Commanding): Promise<'leave' | undefined> | 'leave' | undefined;
}

export const slashCommands: Readonly<Record<string, SlashCommand>> = {
  help: {
    words: '',
    about: 'What you can do here',
    run: (_, { terminal: { stderr } }) => say(stderr, help()),
  },
  stop: {
    words: '',
    about: 'While it answers: stop with what there is, as Ctrl-C does',
    run: (_, { terminal }) => note(terminal, 'Nothing is being answered.'),
  },
  tree: {
    words: '[all]',
    about: 'Every turn and call of the last answer, or of the whole talk',
    run: showTree,
  },
  cost: {
    words: '',
    about: 'What each agent has used in this talk',
    run: showCost,
  },
  save: {
    words: '[file]',
    about: 'Write the talk to a file: Markdown, or JSON when it ends with .json',
    async run(rest, { talk, terminal, confirm }) {
      if (talk.rounds.length === 0) return note(terminal, nothingYet);
      const { saveTalk } = await import('./save-talk.ts');
      const mayOverwrite = () => confirm(`${rest === '' ? 'The file' : rest} is there already. Overwrite it? [y/N] `);
      return note(terminal, await saveTalk(talk, { file: rest, cwd: terminal.input.cwd, mayOverwrite }));
    },
  },
  new: {
    words: '',
    about: 'Begin another talk with the same agent',
    run(_, { talk, terminal }) {
      const before = talk.head && talk.setting.sessions ? `\nGo on with the last one: --session ${talk.id}` : '';
      talk.beginAnew();
      return note(terminal, `A new talk, which knows nothing of the last one. Session ${talk.id}.${before}`);
    },
  },
  quit: { words: '', about: 'Leave, as Ctrl-D does', run: () => 'leave' },
};

/** Of people who say it otherwise. */
const otherNames: Readonly<Record<string, string>> = {
  exit: 'quit',
  q: 'quit',
  bye: 'quit',
  h: 'help',
  '?': 'help',
  clear: 'new',
  '': 'help',
};

/** Whether that was the end of the talk. */
export async function runSlashCommand(name: string, rest: string, commanding: Commanding): Promise<boolean> {
  const known = otherNames[name] ?? name;
  const command = Object.hasOwn(slashCommands, known) ? slashCommands[known] : undefined;
  if (command) return (await command.run(rest, commanding)) === 'leave';
  const close = nearest(name, Object.keys(slashCommands));
  const meant = close === undefined ? '/help says which there are.' : `Did you mean /${close}?`;
  note(commanding.terminal, `There is no command /${name}. ${meant} A message may begin with two slashes instead.`);
  return false;
}

const nothingYet = 'Nothing was said yet.';

function say(screen: Terminal['stderr'], text: string): undefined {
  screen.write(`${text}\n`);
}

function note(terminal: Terminal, text: string): undefined {
  sayDim(text, terminal);
}

function help(): string {
  const rows = Object.entries(slashCommands).map(([name, { words, about }]) => {
    return `  ${`/${name} ${words}`.padEnd(14)} ${about}`;
  });
  return `${rows.join('\n')}

  Enter sends. Alt-Enter, Ctrl-J, or a backslash at the end of a line goes on below;
  so does everything between """ and """, and what is pasted stays one message.
  Up and down bring back what was typed before. Tab completes a command.
  Ctrl-C stops an answer, twice cancels it. Ctrl-D leaves.
  A message that begins with a slash is written with two.`;
}

async function showTree(rest: string, { talk, terminal }: Commanding): Promise<undefined> {
  const last = talk.rounds.at(-1);
  if (!last) return note(terminal, nothingYet);
  const { drawOpTree } = await import('../../render/op-tree.ts');
  const drawn = (rest === 'all' ? talk.rounds : [last]).flatMap(({ outcome }: Round) =>
    outcome?.tree ? drawOpTree(outcome.tree) : ['(interrupted)'],
  );
  return say(terminal.stderr, drawn.join('\n'));
}

async function showCost(_: string, { talk, terminal }: Commanding): Promise<undefined> {
  if (talk.rounds.length === 0) return note(terminal, nothingYet);
  const { toUsageTable } = await import('../../render/usage-table.ts');
  const durationMs = talk.rounds.reduce(
    (sum, { outcome }) => sum + (outcome ? outcome.endedAt - outcome.startedAt : 0),
    0,
  );
  const width = sizeOf(terminal.stderr).columns - 1;
  const table = toUsageTable({ ledger: ledgerOf(talk.facts), durationMs, width, isColoured: terminal.isColoured });
  return say(terminal.stderr, table.join('\n'));
}
