// Prompts in folders of their own: written, prepared, rendered.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Problems } from '../../src/problem.ts';
import { preparePrompt } from '../../src/prompt/prepare-prompt.ts';
import { type HostFacts, type PromptFacts, toVariables } from '../../src/prompt/variables.ts';

export type Files = Readonly<Record<string, string>>;

export function toFolder(files: Files): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'prompt-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

export const host: HostFacts = {
  os: 'linux',
  arch: 'x64',
  kernel: 'Linux 6.8.0',
  folder: '/home/ada/work',
  hostname: 'engine',
  user: 'ada',
};

export const factsOf = (given: Partial<PromptFacts> = {}): PromptFacts => ({
  now: Date.UTC(2026, 0, 31, 9, 30, 15, 678),
  limits: { maxTurns: 7, maxToolCallsPerTurn: 3 },
  output: { format: 'text' },
  host,
  ...given,
});

export interface PrepareOptions {
  readonly folder?: string;
  readonly roots?: readonly string[];
  readonly firstLine?: number;
}

/** `problems` as `code name:line`, with names from the folder. */
export async function prepare(text: string, files: Files = {}, options: PrepareOptions = {}) {
  const folder = options.folder ?? toFolder(files);
  const problems = new Problems();
  const source = { file: join(folder, 'desk.ai'), text, firstLine: options.firstLine ?? 1 };
  const prompt = await preparePrompt(source, { roots: options.roots ?? [folder], problems });
  return {
    prompt,
    all: problems.all,
    messages: problems.all.map(({ message }) => message.replaceAll(`${folder}/`, '')).join('\n'),
    problems: problems.all.map(({ code, file, line }) => `${code} ${file.replace(`${folder}/`, '')}:${line}`),
  };
}

export async function render(text: string, files: Files = {}, facts: Partial<PromptFacts> = {}): Promise<string> {
  const { prompt, messages } = await prepare(text, files);
  return prompt ? prompt.render(toVariables(factsOf(facts))) : `not prepared: ${messages}`;
}
