// The team that is killed: a desk that asks a clerk, who looks words up and sometimes asks a person. Files for the command, and what they answer.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes the files of the team; their models and their tool are the provider at this address. */
export async function writeTeam(folder: string, provider: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const config = {
    providers: { local: { type: 'openai-compatible', baseUrl: `${provider}/v1` } },
    restTools: {
      look_up: {
        description: 'Says what a word means.',
        url: `${provider}/look-up?word=\${parameters.word}`,
      },
    },
  };
  await writeFile(join(folder, '.ai-agent.json'), JSON.stringify(config, null, 2));
  await writeFile(join(folder, 'desk.ai'), agentFile('desk', ['agents: clerk.ai']));
  await writeFile(join(folder, 'clerk.ai'), agentFile('clerk', ['tools: [look_up]', 'ask: person']));
}

function agentFile(name: string, lines: readonly string[]): string {
  const about = [`description: Is the ${name}`, `models: local/${name}`, 'output: { format: text }', ...lines];
  return `---\n${about.join('\n')}\n---\nYou are the ${name}.\n`;
}

/** A prompt of the desk: with this the clerk asks a person before it answers. */
export function promptOf(word: string, asks: boolean): string {
  return asks ? `${word} ask` : word;
}

export function questionOf(word: string): string {
  return `Which colour has ${word}?`;
}

export function meaningOf(word: string): string {
  return `${word} means ${word.toUpperCase()}`;
}

/** What the desk says of a word in the end: the clerk has looked it up, and has the colour from whoever it asked. */
export function answerOf(word: string, colour?: string): string {
  return `desk: ${meaningOf(word)}${colour === undefined ? '' : `, and is ${colour}`}`;
}
