// What is told of a run while it lasts: progress for who asks for it, and what went wrong for who wants to know.

import type { AgentEvent } from '@ai-agent/core';
import { type Progress, toProgress } from '../../progress.ts';
import type { AgentCall } from './agent-call.ts';

export class Telling {
  readonly #call: AgentCall;
  #step = 0;

  constructor(call: AgentCall, _agent: string) {
    this.#call = call;
  }

  readonly hear = (event: AgentEvent): void => {
    const progress = toProgress(event);
    if (progress) this.#progress(toWords(progress));
  };

  close(): void {}

  #progress(message: string): void {
    const { _meta, notify } = this.#call.context.mcpReq;
    const progressToken = _meta?.progressToken;
    if (progressToken === undefined) return;
    this.#step += 1;
    notify({ method: 'notifications/progress', params: { progressToken, progress: this.#step, message } }).catch(
      () => {},
    );
  }
}

function toWords({ type, instance, title, tool, status }: Progress): string {
  return [instance, type, tool, title, status].filter(Boolean).join(' ');
}
