// What is told of a run while it lasts: progress for who asks for it, and what went wrong for who wants to know.

import type { AgentEvent } from '@ai-agent/core';
import { toProgressWords } from '../../progress-words.ts';
import type { AgentCall } from './agent-call.ts';
import { toLogEntry } from './log-entries.ts';
import { LogNotes } from './log-notes.ts';
import { ProgressNotes } from './progress-notes.ts';

export class Telling {
  readonly #call: AgentCall;
  readonly #agent: string;
  readonly #progress: ProgressNotes | undefined;
  readonly #log: LogNotes;
  #isClosed = false;

  constructor(call: AgentCall, agent: string) {
    this.#call = call;
    this.#agent = agent;
    const { _meta, signal, notify } = call.context.mcpReq;
    // Whoever has cancelled hears nothing more, though the run tells of its end, and something may still wait to be said.
    const tell: typeof notify = async (note) => (signal.aborted ? undefined : notify(note));
    const progressToken = _meta?.progressToken;
    if (progressToken !== undefined)
      this.#progress = new ProgressNotes({
        clock: call.hall.clock,
        send: (note) => tell({ method: 'notifications/progress', params: { progressToken, ...note } }),
      });
    this.#log = new LogNotes((entry) => tell({ method: 'notifications/message', params: { ...entry } }));
  }

  /** It has no place yet. */
  readonly wait = (): void => this.#progress?.say(`${this.#agent} waits for a place`);

  readonly hear = (event: AgentEvent): void => {
    if (this.#isClosed) return;
    this.#tellProgress(event);
    this.#tellLog(event);
  };

  /** The result goes out now: nothing is told after it. */
  close(): void {
    this.#isClosed = true;
    this.#progress?.close();
  }

  #tellProgress(event: AgentEvent): void {
    const words = this.#progress && toProgressWords(event);
    if (words !== undefined) this.#progress?.say(words);
  }

  #tellLog(event: AgentEvent): void {
    const entry = toLogEntry(event);
    if (entry && this.#call.log.hears(entry.level, this.#call.context)) this.#log.say(entry);
  }
}
