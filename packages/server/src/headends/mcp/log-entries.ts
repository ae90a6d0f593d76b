// What goes on in a run as entries of a log: sizes, names and reasons, never prompts, arguments or results.

import type { AgentEvent, Ending, Failure, JsonObject } from '@ai-agent/core';
import type { LoggingLevel } from '@modelcontextprotocol/server';
import { bounded } from '../../bounded.ts';
import { withoutInside } from '../../failure-status.ts';

export interface LogEntry {
  readonly level: LoggingLevel;
  /** The agent that it is about. */
  readonly logger: string;
  readonly data: JsonObject;
}

/** Undefined for what is no event of a log. */
export function toLogEntry(event: AgentEvent): LogEntry | undefined {
  const told = describe(event);
  if (!told) return undefined;
  const [level, facts] = told;
  const { agentName, instanceName, selfId, parentId } = event.trace;
  const who = { agent: agentName, instance: instanceName, sessionId: selfId, ...(parentId ? { parentId } : {}) };
  return { level, logger: agentName, data: { event: event.type, ...who, ...facts } };
}

type Told = readonly [level: LoggingLevel, facts: JsonObject];

function describe(event: AgentEvent): Told | undefined {
  switch (event.type) {
    case 'session-start':
      return ['info', titleOf(event.title)];
    case 'session-end':
      return describeEnd(event.ending, event.trace.parentId === null, event.endedAt - event.startedAt);
    case 'tool-start':
      return ['debug', { tool: event.label, ...titleOf(event.title) }];
    case 'tool-end': {
      const { status, failure } = event.result;
      const facts = { tool: event.label, status, durationMs: event.endedAt - event.startedAt };
      return failure ? ['warning', { ...facts, ...reasonOf(failure) }] : ['debug', facts];
    }
    case 'model-start':
      return ['debug', { model: `${event.provider}/${event.model}`, turn: event.turn }];
    case 'model-end': {
      const { provider, model, turn, startedAt, endedAt, failure, requests } = event;
      const facts = { model: `${provider}/${model}`, turn, durationMs: endedAt - startedAt };
      const failedRequests = requests.filter(({ status }) => status === 'failed').length;
      const failed = failedRequests > 0 ? { failedRequests } : {};
      return failure ? ['warning', { ...facts, ...failed, ...reasonOf(failure) }] : ['debug', { ...facts, ...failed }];
    }
    case 'model-wait': {
      const { provider, model, reason, waitMs, failure } = event;
      const facts = { model: `${provider}/${model}`, reason, ...(waitMs === undefined ? {} : { waitMs }) };
      const isTrouble = reason === 'retry' || reason === 'fallback';
      return [isTrouble ? 'warning' : 'debug', { ...facts, ...reasonOf(failure) }];
    }
    case 'question-end':
      return ['info', reasonOf(event.failure)];
    default:
      return undefined;
  }
}

/** A child that failed is trouble of whoever called it; the run itself has nobody above. */
function describeEnd(ending: Ending, isRoot: boolean, durationMs: number): Told {
  const facts = { status: ending.status, durationMs };
  switch (ending.status) {
    case 'failed':
      return [isRoot ? 'error' : 'warning', { ...facts, ...reasonOf(ending.failure) }];
    case 'cancelled':
      return ['info', { ...facts, ...reasonOf(ending.failure) }];
    case 'partial':
      return ['warning', { ...facts, limit: ending.limit }];
    case 'needs_user_input':
      return ['info', { ...facts, question: bounded(ending.question.text) }];
    default:
      return ['info', facts];
  }
}

function titleOf(title: string | null): JsonObject {
  return title ? { title: bounded(title) } : {};
}

function reasonOf(failure: Failure | undefined): JsonObject {
  if (!failure) return {};
  const { class: kind, code, message } = withoutInside(failure);
  return { class: kind, code, message: bounded(message) };
}
