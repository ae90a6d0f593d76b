// The server of the library, with everything that is on by default, and the same sessions without it.

import { type Agent, type AgentEvent, ask, type Model } from 'ai-agent';
import { serveAgents } from 'ai-agent/server';
import { nextLoop, piecesFor, type Serving } from './serving.ts';

export async function serveOurs(): Promise<Serving> {
  const agent: Agent = { name: 'teller', instructions: 'You answer.', model: teller };
  // Wider than by default: nobody waits for a place here.
  const { url } = await serveAgents({ agents: [agent], port: 0, concurrency: 1_000 });
  const seen = { letters: 0 };
  const onEvent = (event: AgentEvent) => {
    if (event.type === 'text-delta') seen.letters += event.text.length;
  };
  return {
    url,
    runInside: async (name, isStreamed) => (await ask(agent, name, isStreamed ? { onEvent } : {})).text,
  };
}

const teller: Model = {
  provider: 'bench',
  model: 'teller',
  async call({ messages }, { onDelta }) {
    const pieces = piecesFor(nameIn(messages.at(-1)));
    for (const text of onDelta ? pieces : []) {
      await nextLoop();
      onDelta?.({ type: 'text', text });
    }
    const message = { role: 'assistant', content: [{ type: 'text', text: pieces.join('') }] } as const;
    return { message, finishReason: 'stop', usage: { inputTokens: 10, outputTokens: pieces.length }, costUsd: 0 };
  },
};

function nameIn(message: object | undefined): string {
  return /visitor\d+/.exec(JSON.stringify(message))?.[0] ?? '';
}
