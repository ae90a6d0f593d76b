// The `ai-agent` command: finds what was asked for and runs it; the exit code says what came of it.

import { readFileSync } from 'node:fs';
import { demo, demoHelp } from './commands/demo.ts';
import { exitCodes } from './exit-codes.ts';
import { processTerminal, type Terminal } from './terminal.ts';

const help = `ai-agent: agents that call agents

Usage: ai-agent <command> [options]

Commands:
  demo [prompt…]   Run an agent with two sub-agents, offline: no key, no network

Options:
  -h, --help       Show this, or the help of a command
  -V, --version    Show the version

Examples:
  ai-agent demo
  ai-agent demo --help
`;

export async function main(argv: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  const [command, ...rest] = argv;
  if (command === undefined || command === '-h' || command === '--help' || command === 'help')
    return say(terminal, help);
  if (command === '-V' || command === '--version') return say(terminal, `${version()}\n`);
  if (command.startsWith('-')) return misuse(terminal, `There is no option "${command}".`);
  if (command !== 'demo') return misuse(terminal, `There is no command "${command}". Known: demo.`);

  const end = rest.indexOf('--');
  const words = end < 0 ? rest : rest.slice(0, end);
  if (words.some((word) => word === '-h' || word === '--help')) return say(terminal, demoHelp);
  const unknown = words.find((word) => word.startsWith('-'));
  if (unknown)
    return misuse(
      terminal,
      `demo has no option "${unknown}"; put -- before a prompt that begins with a dash.`,
      'ai-agent demo --help',
    );
  return demo(end < 0 ? words : [...words, ...rest.slice(end + 1)], terminal);
}

function say({ stdout }: Terminal, text: string): number {
  stdout.write(text);
  return exitCodes.ok;
}

function misuse({ stderr }: Terminal, problem: string, help = 'ai-agent --help'): number {
  stderr.write(`usage: ${problem} See ${help}.\n`);
  return exitCodes.usage;
}

function version(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  return manifest.version;
}
