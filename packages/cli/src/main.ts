// The `ai-agent` command: finds what was asked for and runs it; the exit code says what came of it.

import { existsSync } from 'node:fs';
import { nearest, oneLine, toFailedDocument, toFailure } from '@ai-agent/core';
import { readWords, type Words } from './arguments.ts';
import { toForms } from './commands/flag.ts';
import { help, helpOf } from './commands/help.ts';
import { misuse } from './commands/misuse.ts';
import { toNamedAgent } from './commands/named-agent.ts';
import { olderFlags } from './commands/older-flags.ts';
import { headendFlags } from './commands/serve/serve-flags.ts';
import { type Command, commands } from './commands/table.ts';
import { exitCodes } from './exit-codes.ts';
import { toPrintable } from './render/printable.ts';
import { toJson } from './render/to-json.ts';
import { processTerminal, type Terminal } from './terminal.ts';
import { version } from './version.ts';

const common = toForms([
  { names: ['--help', '-h'], about: 'Show the help' },
  { names: ['--version', '-V'], about: 'Show the version' },
]);

const forms = new Map([...Object.values(commands).flatMap((command) => [...formsOf(command)]), ...common]);

function formsOf({ flags, sections = [] }: Command) {
  return toForms([...flags, ...sections.flatMap((section) => section.flags)]);
}

export async function main(argv: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  const own = isServe(argv) && commands.serve ? formsOf(commands.serve) : undefined;
  const read = toNamedAgent(readWords(argv, { forms, refused: olderFlags, own }), Object.keys(commands));
  if ('problem' in read) return tellMisuse(read.problem, argv, terminal);
  const { words, flags } = read;
  const [first] = words;
  if (isAsked(read, '-V', '--version')) return say(terminal, `${version}\n`);
  if (first?.text === 'help') return helpFor({ words: words.slice(1), flags }, terminal);
  if (!first && (flags.length === 0 || isHelp(read))) return say(terminal, help());
  const name = first && Object.hasOwn(commands, first.text) ? first.text : undefined;
  try {
    if (name === undefined) return await withoutCommand(read, terminal);
    return await runCommand(name, { words: words.slice(1), flags }, terminal);
  } catch (error) {
    return tellThrown(error, read, terminal);
  }
}

function tellMisuse(problem: string, argv: readonly string[], { stdout, stderr }: Terminal): number {
  const isServer = isServe(argv);
  const name = isServer ? 'serve' : (argv.find((word) => Object.hasOwn(commands, word)) ?? 'run');
  // Where the protocol is spoken on stdout, nothing else is.
  const screens = { stdout: isServer && isOnStdio(argv) ? stderr : stdout, stderr };
  return misuse(screens, problem, { help: `ai-agent ${name} --help`, isJson: flagsIn(argv).includes('--json') });
}

/** A server has no prompt, whatever is wrong with its flags. */
function isServe(argv: readonly string[]): boolean {
  const words = flagsIn(argv);
  const named = words.find((word) => Object.hasOwn(commands, word));
  return (
    named === 'serve' || (named === undefined && words.some((word) => headendFlags.includes(word.split('=')[0] ?? '')))
  );
}

function isOnStdio(argv: readonly string[]): boolean {
  return /(?:^| )--mcp[ =]stdio(?: |$)/.test(flagsIn(argv).join(' '));
}

/** What stands after -- is no flag. */
function flagsIn(argv: readonly string[]): readonly string[] {
  return argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
}

/** Nobody foresaw it: said like any other failure, and where it happened when that is our mistake. */
function tellThrown(error: unknown, read: Words, { stdout, stderr }: Terminal): number {
  const failure = toFailure(error);
  if (isAsked(read, '--json')) stdout.write(`${toJson(toFailedDocument(failure), stdout)}\n`);
  if (failure.class === 'bug' && error instanceof Error) stderr.write(`${toPrintable(error.stack ?? '')}\n`);
  stderr.write(`failed (${failure.class}): ${oneLine(failure.message)}\nWhat to do: ${oneLine(failure.remedy)}\n`);
  return exitCodes.byClass[failure.class];
}

async function runCommand(name: string, rest: Words, terminal: Terminal): Promise<number> {
  const command = commands[name] as Command;
  if (isHelp(rest))
    return name === 'run' && rest.words.length > 0 ? helpOfAgent(rest, terminal) : say(terminal, helpOf(name, command));
  const forms = formsOf(command);
  const stray = rest.flags.find(([flag]) => !forms.has(flag));
  if (stray)
    return misuse(terminal, `${name} has no option ${stray[0]}.`, {
      help: `ai-agent ${name} --help`,
      isJson: isAsked(rest, '--json'),
    });
  return (await command.load()).run(rest, terminal);
}

/** The word run was left out, or the name of a command is misspelt. */
async function withoutCommand(read: Words, terminal: Terminal): Promise<number> {
  const file = read.words[0]?.text;
  const meant = file === undefined || existsSync(file) ? undefined : nearest(file, Object.keys(commands));
  if (meant !== undefined)
    return misuse(terminal, `There is no file or command ${file}. Did you mean ${meant}?`, {
      isJson: isAsked(read, '--json'),
    });
  return runCommand('run', read, terminal);
}

async function helpOfAgent(words: Words, terminal: Terminal): Promise<number> {
  return (await import('./commands/agent-help.ts')).helpOfAgent(words, terminal);
}

function isAsked({ flags }: Words, ...names: readonly string[]): boolean {
  return flags.some(([flag]) => names.includes(flag));
}

function isHelp(words: Words): boolean {
  return isAsked(words, '-h', '--help');
}

function helpFor(asked: Words, terminal: Terminal): Promise<number> | number {
  const name = asked.words[0]?.text;
  if (name === undefined) return say(terminal, help());
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  return command ? say(terminal, helpOf(name, command)) : helpOfAgent(asked, terminal);
}

function say({ stdout }: Terminal, text: string): number {
  stdout.write(text);
  return exitCodes.ok;
}
