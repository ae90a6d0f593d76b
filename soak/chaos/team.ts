// The chaos team: a lead that asks three children, who look a word up in a server on stdio. The files for the command.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const lead = 'lead';
export const children = ['one', 'two', 'three'] as const;
/** The tool of the server, as models call it. */
export const toolName = 'words__look_up';
/** A provider that refuses every connection. The last child asks it first. */
export const closedProvider = 'closed';
/** The longest silence of a model. Far above what a busy machine takes to answer. */
const llmTimeout = '4s';
/** Runs at once on the server; more than there are clients. */
const concurrency = 64;

export interface TeamUrls {
  readonly provider: string;
  /** An address on which nothing listens. */
  readonly closed: string;
}

export async function writeTeam(folder: string, { provider, closed }: TeamUrls): Promise<void> {
  await mkdir(folder, { recursive: true });
  const config = {
    providers: {
      local: { type: 'openai-compatible', baseUrl: `${provider}/v1` },
      [closedProvider]: { type: 'openai-compatible', baseUrl: `${closed}/v1` },
    },
    mcpServers: { words: { command: process.execPath, args: [join(import.meta.dirname, 'tool-server.ts')] } },
    api: { concurrency },
  };
  await writeFile(join(folder, '.ai-agent.json'), JSON.stringify(config, null, 2));
  const team = `agents: [${children.map((name) => `${name}.ai`).join(', ')}]`;
  await writeFile(join(folder, `${lead}.ai`), agentFile(lead, [`models: local/${lead}`, team]));
  for (const name of children) {
    const models = name === children.at(-1) ? `[${closedProvider}/${name}, local/${name}]` : `local/${name}`;
    await writeFile(join(folder, `${name}.ai`), agentFile(name, [`models: ${models}`, 'tools: [words]']));
  }
}

function agentFile(name: string, lines: readonly string[]): string {
  const about = [`description: Is ${name}`, 'output: { format: text }', `llmTimeout: ${llmTimeout}`, ...lines];
  return `---\n${about.join('\n')}\n---\nYou are ${name}.\n`;
}

/** The prompt of a run. Every prompt below it has the same mark. */
export function promptOf(number: number): string {
  return `run-${number}`;
}

/** The mark of a run in a prompt or in a request. */
export function runIn(text: string): string {
  return /run-\d+/.exec(text)?.[0] ?? 'unmarked';
}

export function answerOf(run: string): string {
  return `The answer of ${run}.`;
}
