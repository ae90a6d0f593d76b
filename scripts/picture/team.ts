// Who is in the picture, and what their model says: files of a small team, and a script for it.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelRequest } from '@ai-agent/cli';
import type { ScriptedCall, Step } from '@ai-agent/cli/testing';

export function writeTeam(folder: string, baseUrl: string): void {
  const agents: Readonly<Record<string, string>> = { lead: 'researcher.ai, critic.ai', researcher: 'source.ai' };
  for (const name of ['lead', 'researcher', 'source', 'critic']) {
    const team = agents[name] === undefined ? '' : `agents: ${agents[name]}\n`;
    const head = `description: ${name}\nusage: x\nmodels: local/large\noutput: { format: text }\n${team}`;
    writeFileSync(join(folder, `${name}.ai`), `---\n${head}---\nYou are the ${name}.\n`);
  }
  mkdirSync(join(folder, 'home'), { recursive: true });
  const config = {
    providers: { local: { type: 'openai-compatible', baseUrl } },
    pricing: { local: { large: { prompt: 2, completion: 10 } } },
  };
  writeFileSync(join(folder, '.ai-agent.json'), JSON.stringify(config));
}

/** Two of them wait until the picture is taken; the others take their time, as models do. */
export function answer({ system, messages }: ModelRequest, isTaken: Promise<void>): Step {
  const who = /You are the (\w+)/.exec(system)?.[1];
  const hasResults = messages.some(({ role }) => role === 'tool');
  const prompt = JSON.stringify(messages[0]);
  if (who === 'lead')
    return hasResults
      ? { text: verdict, usage: used(4_120, 96) }
      : { calls: plan, usage: used(910, 140), latencyMs: 900 };
  if (who === 'researcher' && prompt.includes('who'))
    return hasResults
      ? { text: 'About 240 a day.', usage: used(2_480, 90) }
      : { calls: lookUps, usage: used(760, 88), latencyMs: 700 };
  const found = { text: 'Found.', usage: used(1_340, 70) };
  if (prompt.includes('summer') || prompt.includes('ice')) return { ...found, until: isTaken };
  return { ...found, latencyMs: who === 'source' ? 600 : who === 'critic' ? 1_300 : 1_900 };
}

const verdict = `Yes, from May to September: 240 passengers a day cover the crossing, and the pier
is deep enough. In winter the ice closes the sound for six weeks.`;

const plan = [
  call('researcher', 'costs', 'What a crossing costs'),
  call('researcher', 'who', 'Who would take the ferry'),
  call('researcher', 'ice', 'How long the sound is closed by ice'),
  call('critic', 'plan', 'Look for what we forgot'),
];

const lookUps = [
  call('source', 'census', 'Who lives on the island'),
  call('source', 'summer', 'Guests of last summer'),
];

function call(agent: string, text: string, reason: string): ScriptedCall {
  return { name: `agent__${agent}`, input: { text, reason } };
}

function used(inputTokens: number, outputTokens: number) {
  return { inputTokens, outputTokens };
}
