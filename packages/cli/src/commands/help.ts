// The help of the command and of each of its commands, made of their table.

import type { Flag } from './flag.ts';
import { type Command, commands } from './table.ts';

const widthOfFlags = 34;

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
  const options = [...flags.map(toLine), `  ${'-h, --help'.padEnd(widthOfFlags)} ${about}`];
  const parts = [
    `Usage: ${usage}`,
    details,
    `Options:\n${options.join('\n')}`,
    ...sections.map((section) => `${section.title}:\n${section.flags.map(toLine).join('\n')}`),
    ...(exits === undefined ? [] : [`Exit codes: ${exits}`]),
    `Examples:\n${examples.map((example) => `  ${example}`).join('\n')}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

function toLine({ names, value, about }: Flag): string {
  const [name, ...others] = names;
  const short = others.find((other) => !other.startsWith('--'));
  const flag = `${name}${value === undefined ? '' : ` <${value}>`}`;
  return `  ${flag.padEnd(widthOfFlags)} ${about}${short === undefined ? '' : `; also ${short}`}`;
}
