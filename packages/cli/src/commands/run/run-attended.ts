// A run with somebody at the terminal: questions are asked there, and Ctrl-C ends it, gently at first.

import type { AgentEvent, JsonObject, Outcome, Written } from '@ai-agent/core';
import { AIAgentSession, type AIAgentSessionConfig } from '../../library.ts';
import type { Live } from '../../render/live.ts';
import type { Terminal } from '../../terminal.ts';

export interface Attendance {
  readonly terminal: Terminal;
  /** What is shown meanwhile; it makes room for questions. */
  readonly live: Live;
  /** What the root has said so far. */
  readonly written: Written;
  /** Writes down the last of it when the process ends before the run has. @default nobody */
  readonly onAbandon?: (() => Promise<void>) | undefined;
}

export interface Attended {
  readonly outcome: Promise<Outcome>;
  /** Signals are no longer for this run: for when everything is printed. */
  release(): void;
}

/** Whoever asks is loaded when there is somebody to ask. */
export async function runAttended(
  config: AIAgentSessionConfig,
  prompt: string | JsonObject,
  { terminal, live, written, onAbandon }: Attendance,
): Promise<Attended> {
  const { openKeyboard } = terminal;
  const person =
    openKeyboard &&
    new (await import('./ask-person.ts')).Person({
      openKeyboard,
      aside: () => live.aside(),
      answer: (handle, answer) => run.answer(handle, answer),
      staysOpen: onAbandon !== undefined,
    });
  const onEvent = (event: AgentEvent) => {
    person?.onEvent(event);
    config.onEvent?.(event);
  };
  const attended = person ? { onQuestion: person.onQuestion } : {};
  const run = new AIAgentSession({ ...config, ...attended, onEvent }).run(prompt);
  const release = terminal.onInterrupt({
    stop() {
      person?.leave();
      if (written.isWriting) written.cutShort();
      // What it writes is the answer so far, and where nothing has come yet there is nothing to sum up.
      if (written.isWriting || !written.hasReplied) return run.cancel('Interrupted by SIGINT.');
      run.stop();
      live.say('Stopping with what there is. Ctrl-C again ends it at once.');
    },
    cancel: (reason) => run.cancel(reason),
    leave(reason) {
      const isOpen = person?.leaveOpen() === true;
      if (!isOpen) run.cancel(reason);
      return isOpen;
    },
    abandon() {
      person?.leave();
      live.end();
      return onAbandon?.();
    },
  });
  return { outcome: run.outcome.finally(() => person?.leave()), release };
}
