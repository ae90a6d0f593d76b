// The help of the command and of each of its commands, made of their table.

import type { Flag } from './flag.ts';
import { type Command, commands } from './table.ts';

const widthOfFlags = 34;
const widest = 100;

export function help(): string {
  const rows = Object.entries(commands).map(([name, { words, about }]) => [`${name} ${words}`.trim(), about] as const);
  const width = Math.max(...rows.map(([usage]) => usage.length)) + 2;
  const lines = rows.map(([usage, about]) => `  ${usage.padEnd(width)}${about}`);
  return `ai-agent: agents that call agents

Usage: ai-agent <file> [prompt…]
       ai-agent <command> [options]

Commands:
${lines.join('\n')}

Options:
  ${'-h, --help'.padEnd(width)}Show this; after a command or an agent file, the help of that
  ${'-V, --version'.padEnd(width)}Show the version

Examples:
  ai-agent hello.ai "Good morning"
  ai-agent init my-team
  ai-agent check agents/
  ai-agent demo
`;
}

export function helpOf(name: string, { words, details, flags, sections = [], exits, examples }: Command): string {
  // The word run may be left out, and mostly is.
  const usage = `ai-agent ${name === 'run' ? '' : `${name} `}${words}`.trim();
  const about = name === 'run' ? 'What this agent is: description, usage, every option with its value' : 'Show this';
  const options = [...flags.map(toLine), toRow('-h, --help', about)];
  const parts = [
    `Usage: ${usage}`,
    wrapParagraphs(details),
    `Options:\n${options.join('\n')}`,
    ...sections.map((section) => `${section.title}:\n${section.flags.map(toLine).join('\n')}`),
    ...(exits === undefined ? [] : [wrap(`Exit codes: ${exits}`, 12)]),
    `Examples:\n${examples.map((example) => `  ${example}`).join('\n')}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

function toLine({ names, value, about }: Flag): string {
  const [name, ...others] = names;
  const short = others.find((other) => !other.startsWith('--'));
  const flag = `${name}${value === undefined ? '' : ` <${value}>`}`;
  return toRow(flag, `${about}${short === undefined ? '' : `; also ${short}`}`);
}

function toRow(flag: string, about: string): string {
  if (flag.length > widthOfFlags) return `  ${flag}\n${toRow('', about)}`;
  return wrap(`  ${flag.padEnd(widthOfFlags)} ${about}`, widthOfFlags + 3);
}

/** Lines that are set in are meant as they stand. */
function wrapParagraphs(text: string): string {
  return text
    .replace(/(?<=\S)\n(?=\S)/g, ' ')
    .split('\n')
    .map((line) => (line.startsWith(' ') ? line : wrap(line, 0)))
    .join('\n');
}

/** What goes on below begins in this column. Spaces within a line stay. */
function wrap(line: string, indent: number): string {
  if (line.length <= widest) return line;
  const found = line.lastIndexOf(' ', widest);
  const end = found > indent ? found : line.indexOf(' ', widest);
  if (end < 0) return line;
  return `${line.slice(0, end).trimEnd()}\n${wrap(`${' '.repeat(indent)}${line.slice(end + 1)}`, indent)}`;
}
