// `ai-agent <file> --help`: what an agent is, and a frontmatter to paste into a new file.

import { flagValue, flagValues, type Words } from '../arguments.ts';
import { toPrintable } from '../render/printable.ts';
import type { Terminal } from '../terminal.ts';
import { loadAgents, notOneFile, refuse } from './load.ts';
import { misuse } from './misuse.ts';

export async function helpOfAgent(words: Words, terminal: Terminal): Promise<number> {
  const [file] = words.words;
  const entries = [file?.text ?? ''];
  const not = notOneFile(file?.text ?? '', terminal.input.cwd);
  if (not !== undefined) return misuse(terminal, not, { help: 'ai-agent run --help' });
  const { registry, problems } = await loadAgents({
    entries,
    flags: words.flags,
    overrides: flagValues(words, '--override'),
    configFile: flagValue(words, '--config'),
    purpose: 'help',
  });
  const [loaded] = registry.agents;
  if (!loaded || problems.some(({ severity }) => severity === 'error'))
    return refuse(problems, { entries, isJson: false }, terminal);
  const { agent, usage } = loaded;
  const example = (usage ?? 'your prompt').replaceAll('"', '\\"');
  const text = `DESCRIPTION
${indent(agent.description ?? '(this agent has no description)')}

Usage: ai-agent ${file?.text} "${example}"

Frontmatter, with every option and what holds for this agent; paste it into a new file and change it:

${loaded.template()}
The flags of a run: ai-agent run --help
`;
  terminal.stdout.write(toPrintable(text));
  return 0;
}

function indent(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}
