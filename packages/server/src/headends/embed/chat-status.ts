// What goes on in a chat besides the answer: who is at work, why, and what it says that it does now.

import type { AgentEvent } from '@ai-agent/core';
import { bounded } from '../../bounded.ts';

export interface ChatStatus {
  readonly eventType: 'agent_update' | 'agent_started' | 'agent_finished' | 'tool_started' | 'tool_finished';
  readonly agent: string;
  /** Agent names from the top, with colons between. */
  readonly agentPath: string;
  /** For people: what a model said of it, or that something goes on. */
  readonly now: string;
  readonly timestamp: number;
  /** How it ended. */
  readonly status?: string;
}

/** Tools that nobody gave a reason for: which they are, and what they are told, is not for visitors. */
const untitled = 'Uses a tool';

/** Of one run: what has begun is called the same when it ends. */
export class ChatStatuses {
  readonly #titles = new Map<string, string>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Nothing for what is not told. */
  hear(event: AgentEvent): ChatStatus | undefined {
    const { selfId, originId, agentName } = event.trace;
    const isRoot = selfId === originId;
    switch (event.type) {
      case 'task-status':
        return event.now.trim() === '' ? undefined : this.#tell(event, 'agent_update', event.now);
      case 'session-start':
        return isRoot ? undefined : this.#begin(event, 'agent_started', selfId, event.title ?? agentName);
      case 'session-end':
        return isRoot ? undefined : this.#end(event, 'agent_finished', selfId, event.ending.status);
      case 'tool-start':
        if (isToldOtherwise(event)) return undefined;
        return this.#begin(event, 'tool_started', `${selfId} ${event.op}`, event.title ?? untitled);
      case 'tool-end':
        if (isToldOtherwise(event)) return undefined;
        return this.#end(event, 'tool_finished', `${selfId} ${event.op}`, event.result.status);
      default:
        return undefined;
    }
  }

  #begin(event: AgentEvent, eventType: ChatStatus['eventType'], id: string, title: string): ChatStatus {
    this.#titles.set(id, title);
    return this.#tell(event, eventType, title);
  }

  #end(event: AgentEvent, eventType: ChatStatus['eventType'], id: string, status: string): ChatStatus {
    const title = this.#titles.get(id) ?? untitled;
    this.#titles.delete(id);
    return { ...this.#tell(event, eventType, title), status };
  }

  #tell({ trace }: AgentEvent, eventType: ChatStatus['eventType'], now: string): ChatStatus {
    const { agentName: agent, callPath: agentPath } = trace;
    return { eventType, agent, agentPath, now: bounded(now), timestamp: this.#now() };
  }
}

/** A sub-agent is told as itself, and so is a question. */
function isToldOtherwise({ namespace, label }: Extract<AgentEvent, { type: 'tool-start' | 'tool-end' }>): boolean {
  return namespace === 'agent' || label === 'ask_user';
}
