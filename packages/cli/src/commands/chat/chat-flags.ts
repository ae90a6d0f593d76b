// The flags of a talk: those of a run that hold for more than one answer.

import type { Flag } from '../flag.ts';
import { runFlags } from '../run/run-flags.ts';

const ofOneRun = ['--agent', '--events', '--save-all', '--dry-run', '--attach', '--chat', '--no-chat'];

const otherwise: Readonly<Record<string, string>> = {
  '--json': 'Print the outcome of every message as one line of JSON instead of the answer',
  '--continue': 'Go on with the last talk with this agent',
  '--session': 'Go on with this talk; the first letters of its id are enough',
  '--show-tree': 'Draw the whole tree on stderr after every answer, with every turn and call',
};

export const chatFlags: readonly Flag[] = runFlags
  .filter(({ names }) => !names.some((name) => ofOneRun.includes(name)))
  .map((flag) => ({ ...flag, about: otherwise[flag.names[0]] ?? flag.about }));
