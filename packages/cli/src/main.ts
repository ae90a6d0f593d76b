// The `ai-agent` command: finds what was asked for and runs it; the exit code says what came of it.

import { existsSync, readFileSync } from 'node:fs';
import { nearest, toFailure } from '@ai-agent/core';
import { type FlagForms, readWords, type Words } from './arguments.ts';
import { helpOfAgent } from './commands/agent-help.ts';
import { check, checkFlags, checkHelp } from './commands/check.ts';
import { demo, demoHelp } from './commands/demo.ts';
import { misuse } from './commands/misuse.ts';
import { runFile } from './commands/run-file.ts';
import { runFlags, runHelp } from './commands/run-help.ts';
import { exitCodes } from './exit-codes.ts';
import { toFailedDocument } from './render/outcome-document.ts';
import { processTerminal, type Terminal } from './terminal.ts';

const help = `ai-agent: agents that call agents

Usage: ai-agent <file> [prompt…]
       ai-agent <command> [options]

Commands:
  run <file> [prompt…]   Run an agent file; the word run may be left out
  check [files…]         Say what is wrong with agent files, without running them
  demo [prompt…]         Run an agent with two sub-agents, offline: no key, no network

Options:
  -h, --help             Show this, the help of a command, or of an agent: ai-agent <file> --help
  -V, --version          Show the version

Examples:
  ai-agent hello.ai "Good morning"
  ai-agent check agents/
  ai-agent demo
`;

interface Command {
  readonly flags: FlagForms;
  readonly help: () => string;
  run(words: Words, terminal: Terminal): Promise<number>;
}

const commands: Readonly<Record<string, Command>> = {
  run: { flags: runFlags, help: runHelp, run: runFile },
  check: { flags: checkFlags, help: () => checkHelp, run: check },
  demo: {
    flags: new Map(),
    help: () => demoHelp,
    run: ({ words }, terminal) =>
      demo(
        words.map(({ text }) => text),
        terminal,
      ),
  },
};

const everyFlag: FlagForms = new Map([
  ...Object.values(commands).flatMap(({ flags }) => [...flags]),
  ...['-h', '--help', '-V', '--version'].map((flag) => [flag, 'alone'] as const),
]);

export async function main(argv: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  const read = readWords(argv, everyFlag);
  if ('problem' in read) {
    const name = argv.find((word) => Object.hasOwn(commands, word)) ?? 'run';
    return misuse(terminal, read.problem, { help: `ai-agent ${name} --help`, isJson: argv.includes('--json') });
  }
  const { words, flags } = read;
  const [first] = words;
  if (isAsked(read, '-V', '--version')) return say(terminal, `${version()}\n`);
  if (first?.text === 'help') return helpFor({ words: words.slice(1), flags }, terminal);
  if (!first && (flags.length === 0 || isHelp(read))) return say(terminal, help);
  const command = first && Object.hasOwn(commands, first.text) ? commands[first.text] : undefined;
  try {
    return await (command ? runCommand(command, read, terminal) : withoutCommand(read, terminal));
  } catch (error) {
    return tellThrown(error, read, terminal);
  }
}

/** Nobody foresaw it: said like any other failure, and where it happened when that is our mistake. */
function tellThrown(error: unknown, read: Words, { stdout, stderr }: Terminal): number {
  const failure = toFailure(error);
  if (isAsked(read, '--json')) stdout.write(`${JSON.stringify(toFailedDocument(failure))}\n`);
  if (failure.class === 'bug' && error instanceof Error) stderr.write(`${error.stack}\n`);
  stderr.write(`failed (${failure.class}): ${failure.message}\nWhat to do: ${failure.remedy}\n`);
  return exitCodes.byClass[failure.class];
}

function runCommand(command: Command, { words, flags }: Words, terminal: Terminal): Promise<number> | number {
  const name = words[0]?.text ?? '';
  const rest = { words: words.slice(1), flags };
  if (isHelp(rest))
    return name === 'run' && rest.words.length > 0 ? helpOfAgent(rest, terminal) : say(terminal, command.help());
  const stray = flags.find(([flag]) => !command.flags.has(flag));
  if (stray)
    return misuse(terminal, `${name} has no option ${stray[0]}.`, {
      help: `ai-agent ${name} --help`,
      isJson: isAsked(rest, '--json'),
    });
  return command.run(rest, terminal);
}

/** The first word is a file, or the name of a command that was not quite said. */
function withoutCommand(read: Words, terminal: Terminal): Promise<number> | number {
  const file = read.words[0]?.text;
  const meant = file === undefined || existsSync(file) ? undefined : nearest(file, Object.keys(commands));
  if (meant !== undefined)
    return misuse(terminal, `There is no file or command ${file}. Did you mean ${meant}?`, {
      isJson: isAsked(read, '--json'),
    });
  return isHelp(read) ? helpOfAgent(read, terminal) : runFile(read, terminal);
}

function isAsked({ flags }: Words, ...names: readonly string[]): boolean {
  return flags.some(([flag]) => names.includes(flag));
}

function isHelp(words: Words): boolean {
  return isAsked(words, '-h', '--help');
}

function helpFor(asked: Words, terminal: Terminal): Promise<number> | number {
  const name = asked.words[0]?.text;
  if (name === undefined) return say(terminal, help);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  return command ? say(terminal, command.help()) : helpOfAgent(asked, terminal);
}

function say({ stdout }: Terminal, text: string): number {
  stdout.write(text);
  return exitCodes.ok;
}

function version(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  return manifest.version;
}
