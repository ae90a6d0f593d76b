// What goes on in a run, in words for whoever waits at a client: who it is by name, and what it does now.

import type { AgentEvent, Ending, Failure } from '@ai-agent/core';
import { bounded } from './bounded.ts';
import { withoutInside } from './failure-status.ts';

/** Undefined for what is told in no words: text as it is written, turns, results that are there. */
export function toProgressWords(event: AgentEvent): string | undefined {
  const words = describe(event);
  return words === undefined ? undefined : bounded(words);
}

function describe(event: AgentEvent): string | undefined {
  const who = event.trace.instanceName;
  switch (event.type) {
    case 'session-start':
      return `${who} begins${after(event.title)}`;
    case 'session-end':
      return describeEnd(who, event.ending, event.trace.parentId === null);
    case 'tool-start':
      // The question itself is told.
      if (event.label === 'ask_user') return undefined;
      return `${who} calls ${event.instance}${after(event.title)}`;
    case 'tool-end':
      return event.result.failure ? `${event.instance} of ${who} failed: ${reasonOf(event.result.failure)}` : undefined;
    case 'tool-progress':
      return `${event.trace.toolName ?? 'a tool'} of ${who}: ${event.text}`;
    case 'task-status':
      return event.now === '' ? `${who} is ${event.status}` : `${who}: ${event.now}`;
    // That it asks is said by how its session ended: nobody sits beside a server, so both come when it goes on.
    case 'question-end':
      return event.failure ? undefined : `${who} has its answer`;
    case 'model-wait':
      return `${who} waits for ${event.provider}/${event.model}: ${waits[event.reason]}`;
    default:
      return undefined;
  }
}

/** How the run itself ended is what the result says; that it waits for a person is not there yet. */
function describeEnd(who: string, ending: Ending, isRoot: boolean): string | undefined {
  if (ending.status === 'needs_user_input') return `${who} asks: ${ending.question.text}`;
  if (isRoot) return undefined;
  if (ending.status === 'failed') return `${who} failed: ${reasonOf(ending.failure)}`;
  if (ending.status === 'cancelled') return `${who} was cancelled`;
  return ending.status === 'partial' ? `${who} has ended, stopped by ${ending.limit}` : `${who} has ended`;
}

const waits = {
  retry: 'it is asked again',
  fallback: 'it is the next of the list',
  rate_limit: 'it wants a pause',
  queue: 'others are first',
  budget: 'what is left is promised to others',
} as const;

function reasonOf(failure: Failure): string {
  return withoutInside(failure).message;
}

function after(title: string | null): string {
  return title ? `: ${title}` : '';
}
