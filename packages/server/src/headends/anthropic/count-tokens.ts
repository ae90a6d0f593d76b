// About how many tokens a conversation is, without asking a model: what clients ask for before they send it.

import { type Message, showInstructions, tokensOf } from '@ai-agent/core';
import type { ServedAgent } from '../../served-agent.ts';
import type { Talk } from '../../talk/talk.ts';

/** What the agent is told itself is among it, where that is known before a run. */
export function countTokens(served: ServedAgent, { system, messages, tools }: Talk, now: number): number {
  let tokens = tokensOf(instructionsOf(served, now)) + tokensOf(system);
  for (const message of messages) tokens += tokensOfMessage(message);
  for (const { name, description, inputSchema } of tools)
    tokens += tokensOf(name + description) + tokensOf(JSON.stringify(inputSchema));
  return tokens;
}

/** Nothing where they cannot be rendered: the run will say why. */
function instructionsOf({ agent, session }: ServedAgent, now: number): string {
  try {
    const { output = { format: 'text' } } = agent;
    return showInstructions(agent, { now, env: session?.envOverlay ?? {}, output });
  } catch {
    return '';
  }
}

/** Of a picture or a page, whatever its size: as large as they are passed on at most. */
const perFile = 1_600;

function tokensOfMessage(message: Message): number {
  if (message.role === 'system') return tokensOf(message.text);
  let tokens = 0;
  for (const part of message.content) {
    if (part.type === 'file') tokens += perFile;
    else if (part.type === 'tool-call') tokens += tokensOf(part.name + part.input);
    else tokens += tokensOf(part.text);
    if (part.type === 'tool-result') tokens += (part.files?.length ?? 0) * perFile;
  }
  return tokens;
}
