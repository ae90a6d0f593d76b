// More for a session that is at work: only amounts that bound it, never less than holds, never more than its agent and its key allow.

import { AgentError, type Budget, defaultBudget, isUnderWay, narrower, type SessionHead } from '@ai-agent/core';
import type { LiveSession } from './live-session.ts';

/** Gives how it stands then. Throws `request-invalid`, `session-used` where it is not at work, `session-busy` where it is so elsewhere. */
export function raiseBudget(head: SessionHead, live: LiveSession | undefined, more: Budget): SessionHead {
  if (!live || head.endedAt !== undefined) throw notHere(head);
  const { agent, key } = live.bounds;
  const holds: Budget = { ...defaultBudget, ...narrower(narrower(agent, key), head.budget) };
  for (const [amount, value] of Object.entries(more) as [keyof Budget, number][]) {
    const now = holds[amount];
    if (now === undefined) throw refused(`${amount} is not bounded in this session: there is nothing to raise`);
    if (value < now) throw refused(`${amount} is ${now} now: it can be raised, and not be lowered to ${value}`);
    const [most, whose] = boundOf(live, amount);
    if (value > most) throw refused(`${whose} allows ${most} ${amount} at most, and not ${value}`);
  }
  live.raise({ ...head.budget, ...more });
  return live.head;
}

/** The tighter of the two that no request passes, and whose it is. */
function boundOf({ bounds: { agent, key }, head }: LiveSession, amount: keyof Budget): readonly [number, string] {
  const ofAgent = agent?.[amount] ?? Number.POSITIVE_INFINITY;
  const ofKey = key?.[amount] ?? Number.POSITIVE_INFINITY;
  return ofKey < ofAgent ? [ofKey, 'This key'] : [ofAgent, `The agent ${head.agent}`];
}

function refused(message: string): AgentError {
  return new AgentError('request-invalid', `${message}.`);
}

function notHere(head: SessionHead): AgentError {
  if (isUnderWay(head))
    return new AgentError('session-busy', `The session ${head.id} is at work on another server.`, {
      remedy: 'Raise its budget at the server that runs it.',
    });
  return new AgentError('session-used', `The session ${head.id} is not at work: it is ${head.status}.`, {
    remedy: 'Go on with it by POST /v1/sessions, which takes a budget.',
  });
}
