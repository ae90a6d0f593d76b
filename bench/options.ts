// What the command is asked to do.

import { parseArgs } from 'node:util';

export const help = `npm run bench -- [options]

Measures the library beside a floor: the same work as a hand-written loop over fetch. Measures what its server adds beside
a handler on node:http that knows its answer, and the start of the command beside one of Node that does nothing, as it is
installed and in this clone. Read the ratios. Needs no network. Takes about five minutes on two cores.

  --quick   one small repetition, in less than a minute: shows that all is well, not how fast it is
  --json    the figures as JSON on standard output
  --check   exit code 1 when a goal is missed
  --help    this text
`;

const options = {
  quick: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  check: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

export type Options = Readonly<Record<keyof typeof options, boolean>>;

/** Throws on what it does not know. */
export function parseOptions(args: readonly string[]): Options {
  return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
}
