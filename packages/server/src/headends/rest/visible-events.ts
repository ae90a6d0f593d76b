// What of a run the visitor of a page may see, event by event: the answer as it is written, that something goes on and why it was
// begun, and how it ended. Never what was told to models or tools, nor what those or other agents said.

import type { AgentEvent, Failure } from '@ai-agent/core';
import { forVisitors } from '../../failure-status.ts';
import type { SignOf } from '../../going-on.ts';

export interface VisibleEvent {
  readonly type: 'text-delta' | 'tool-start' | 'tool-end' | 'session-start' | 'session-end';
  readonly agent: string;
  /** `research[2]` where an agent runs more than once. */
  readonly instance: string;
  /** The session of the tree that it is of, and the root of that: the same where it is the one that was asked. */
  readonly session: string;
  readonly root: string;
  readonly [field: string]: unknown;
}

type Of<T extends AgentEvent['type']> = Extract<AgentEvent, { type: T }>;

/** Nothing for what is not for visitors: every type that is not named here. */
export function toVisibleEvent(event: AgentEvent): VisibleEvent | undefined {
  switch (event.type) {
    case 'text-delta':
      return toText(event);
    case 'tool-start':
      return { ...aboutOf(event), at: event.at, call: event.op, ...titleOf(event.title) };
    case 'tool-end':
      return { ...aboutOf(event), at: event.at, call: event.op, status: event.result.status };
    case 'session-start':
      return { ...aboutOf(event), at: event.at, ...titleOf(event.title) };
    case 'session-end':
      return { ...aboutOf(event), at: event.at, ...toEnd(event) };
    default:
      return undefined;
  }
}

/** A new turn or attempt, or another who speaks, begins the text again. */
function toText(event: Of<'text-delta'>): VisibleEvent | undefined {
  const { answers, turn, attempt, text, trace, isSoFar } = event as SignOf<Of<'text-delta'>>;
  if (answers !== trace.originId) return undefined;
  return { ...aboutOf(event), answers, turn, attempt, text, ...(isSoFar ? { isSoFar } : {}) };
}

/** What is said of those below is how they ended; what they said is for whoever called them. */
function toEnd({ ending, trace }: Of<'session-end'>): object {
  if (trace.selfId !== trace.originId) return { status: ending.status };
  const { status, text, report } = ending;
  return {
    status,
    text,
    ...(report === undefined ? {} : { report }),
    ...('limit' in ending ? { limit: ending.limit } : {}),
    ...('failure' in ending ? { failure: toVisibleFailure(ending.failure) } : {}),
  };
}

/** What went wrong, what to do about it, and whether it may go better another time. */
export function toVisibleFailure(failure: Failure): object {
  const { class: kind, code, message, remedy, retryable } = forVisitors(failure);
  return { class: kind, code, message, remedy, retryable };
}

function aboutOf({ type, trace }: Of<VisibleEvent['type']>) {
  const { agentName: agent, instanceName: instance, selfId: session, originId: root } = trace;
  return { type, agent, instance, session, root };
}

function titleOf(title: string | null): { readonly title?: string } {
  return title === null ? {} : { title };
}
