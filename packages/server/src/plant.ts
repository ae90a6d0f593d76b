// Plants the tree of a run: the session at its root, with what the house, the agent and the visitor bring.

import {
  type AgentEvent,
  AIAgentSession,
  type AIAgentSessionConfig,
  narrower,
  type Ports,
  type SessionRun,
} from '@ai-agent/core';
import type { Given, Starting } from './asked.ts';
import { boundClientSchema } from './client-schema.ts';
import type { Hall } from './hall.ts';
import type { LiveSession } from './live-session.ts';
import type { Visitor } from './visitor.ts';

export function plant(hall: Hall, starting: Starting, live: LiveSession): SessionRun {
  const { served, prompt, visitor, signal, onEvent, onFact, above, budget, sessionId, handle, output } = starting;
  const { agent, session, fillPrompt } = served;
  if (onEvent) live.follow(onEvent);
  if (onFact) live.follow((event) => event.kind === 'fact' && onFact(event));
  // Also one that comes out of a store again.
  if (output?.schema) boundClientSchema(output.schema);
  const wantsHints = onEvent !== undefined || signal === undefined;
  const config: AIAgentSessionConfig = {
    agent,
    sessionId,
    ports: { ...hall.ports, ...session?.ports, ...scopedTo(visitor, hall.ports, session?.ports) },
    ...(session?.envOverlay ? { envOverlay: session.envOverlay } : {}),
    ...givenOf(starting),
    budget: narrower(budget, visitor.budget),
    ...(above ? { above: { ...(above.agents ? { agents: above.agents } : {}), depth: above.depth ?? 0 } } : {}),
    ...(handle === undefined ? {} : { resume: handle }),
    ...(wantsHints ? { onEvent: live.tell } : { onFact: live.tell as (event: AgentEvent) => void }),
  };
  const text = typeof prompt === 'string' && fillPrompt && handle === undefined;
  return new AIAgentSession(config).run(text ? fillPrompt(prompt, hall.clock.now()) : prompt);
}

function givenOf(given: Given): Given {
  const { output, history, continues, request, attachments, instructions, tools, onQuestion } = given;
  return {
    ...(output && { output }),
    ...(history && { history }),
    ...(continues && { continues }),
    ...(request && { request }),
    ...(attachments && { attachments }),
    ...(instructions && { instructions }),
    ...(tools && { tools }),
    ...(onQuestion && { onQuestion }),
  };
}

/** Answers that are given again stay with the key and the user that asked: two of them may not be the same people. */
function scopedTo({ key, user }: Visitor, ...ports: readonly (Partial<Ports> | undefined)[]): Partial<Ports> {
  const cache = ports.findLast((one) => one?.cache)?.cache;
  if (!cache || (key === null && user === undefined)) return {};
  const own = (name: string) => JSON.stringify(user === undefined ? [key, name] : [key, name, user]);
  return {
    cache: {
      get: (name) => cache.get(own(name)),
      put: (name, value, ttlMs) => cache.put(own(name), value, ttlMs),
    },
  };
}
