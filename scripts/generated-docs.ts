// The parts of documents that are made from tables in the code, and how they get into their pages.
import { elsewhereOf, options, promptVariables, toMarkdown } from '@ai-agent/agents';
import { wellKnown } from '@ai-agent/models';
import { reservedNames } from '../packages/agents/src/agent-name.ts';

/** By the page, and by the name between its two markers: `<!-- generated: options -->` and `<!-- /generated -->`. */
export const generated: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'docs/agent-files.md': {
    options: toMarkdown,
    'options elsewhere': optionsElsewhere,
    variables,
    'reserved names': () => toList(reservedNames),
  },
  'docs/configuration.md': { providers, 'keys of defaults': keysOfDefaults },
};

/** The page with its parts as they are today. Throws when a marker is missing, or names nothing. */
export function fillPage(page: string, text: string): string {
  const parts = generated[page] ?? {};
  const found = new Set<string>();
  const filled = text.replace(/(<!-- generated: (.+) -->\n)[\s\S]*?(<!-- \/generated -->)/g, (_, open, name, close) => {
    const write = parts[name];
    if (!write) throw new Error(`${page}: nothing is generated under the name ${name}.`);
    found.add(name);
    return `${open}\n${write().trim()}\n\n${close}`;
  });
  const missing = Object.keys(parts).filter((name) => !found.has(name));
  if (missing.length > 0) throw new Error(`${page}: there is no place for ${missing.join(', ')}.`);
  return filled;
}

function variables(): string {
  const rows = promptVariables.map((variable) => [
    `\`${variable.name}\``,
    variable.meaning,
    'inUserPrompts' in variable ? 'yes' : 'no',
  ]);
  return toTable(['variable', 'what it is', 'in the prompt of a user too'], rows);
}

function optionsElsewhere(): string {
  const rows = options
    .filter(({ said }) => !said.includes('file'))
    .map((option) => [`\`${option.key}\``, option.about, option.kind.allowed, elsewhereOf(option)]);
  return toTable(['key', 'what it is', 'allowed', 'said in'], rows);
}

function providers(): string {
  const rows = [...wellKnown].map(([name, { type, baseUrl, keyVariables, defaultModel }]) => [
    `\`${name}\``,
    `\`${type}\``,
    baseUrl,
    keyVariables.map((variable) => `\`${variable}\``).join(', ') || 'none',
    defaultModel === undefined ? 'none' : `\`${defaultModel}\``,
  ]);
  return toTable(['name', 'type', 'where it is', 'variables of its key', 'model without `models`'], rows);
}

function keysOfDefaults(): string {
  return toList(options.filter(({ said }) => said.includes('defaults')).map(({ key }) => key));
}

/** With commas, in lines as long as those around it. */
function toList(names: readonly string[]): string {
  const words = names.map((name, i) => `\`${name}\`${i === names.length - 1 ? '.' : ','}`);
  return words.reduce((text, word) => {
    const line = text.slice(text.lastIndexOf('\n') + 1);
    return `${text}${line.length + word.length > 125 ? '\n' : ' '}${word}`;
  });
}

function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`).join('\n');
}
