// What goes on in a run besides the answer, for whoever waits: sub-agents and tools as they begin and end.

import type { AgentEvent } from '@ai-agent/core';

export interface Progress {
  readonly type: 'session-start' | 'session-end' | 'tool-start' | 'tool-end' | 'task-status';
  readonly agent: string;
  /** The agent, `research[2]` where it runs more than once. */
  readonly instance: string;
  /** Why it was called, or what it does now. */
  readonly title?: string;
  readonly tool?: string;
  /** The tool, with the index of the call where the turn runs several: `research[2]`. */
  readonly toolInstance?: string;
  readonly status?: string;
}

export function toProgress(event: AgentEvent): Progress | undefined {
  const { parentId } = event.trace;
  switch (event.type) {
    case 'session-start':
      return parentId === null ? undefined : { type: event.type, ...whoOf(event), ...titleOf(event.title) };
    case 'session-end':
      return parentId === null ? undefined : { type: event.type, ...whoOf(event), status: event.ending.status };
    case 'tool-start':
      return { type: event.type, ...whoOf(event), ...toolOf(event), ...titleOf(event.title) };
    case 'tool-end':
      return { type: event.type, ...whoOf(event), ...toolOf(event), status: event.result.status };
    case 'task-status':
      return { type: event.type, ...whoOf(event), status: event.status, ...titleOf(event.now) };
    default:
      return undefined;
  }
}

function whoOf({ trace: { agentName, instanceName } }: AgentEvent): Pick<Progress, 'agent' | 'instance'> {
  return { agent: agentName, instance: instanceName };
}

type ToolEvent = Extract<AgentEvent, { readonly type: 'tool-start' | 'tool-end' }>;

function toolOf({ label, instance }: ToolEvent): Pick<Progress, 'tool' | 'toolInstance'> {
  return { tool: label, toolInstance: instance };
}

function titleOf(title: string | null): { readonly title?: string } {
  return title ? { title } : {};
}
