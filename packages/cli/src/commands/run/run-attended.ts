// A run with somebody at the terminal: questions are asked there, and Ctrl-C ends it, gently at first.

import type { AgentEvent, Outcome } from '@ai-agent/core';
import { AIAgentSession, type AIAgentSessionConfig } from '../../library.ts';
import type { Live } from '../../render/live.ts';
import type { Terminal } from '../../terminal.ts';

export interface Attendance {
  readonly terminal: Terminal;
  /** What is shown meanwhile; it makes room for questions. */
  readonly live: Live;
}

export async function runAttended(
  config: AIAgentSessionConfig,
  prompt: string,
  { terminal, live }: Attendance,
): Promise<Outcome> {
  const { openKeyboard } = terminal;
  const person =
    openKeyboard &&
    new (await import('./ask-person.ts')).Person({
      openKeyboard,
      aside: () => live.aside(),
      answer: (handle, answer) => run.answer(handle, answer),
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
      run.stop();
      live.say('Stopping with what there is. Ctrl-C again ends it at once.');
    },
    cancel: (reason) => run.cancel(reason),
    abandon() {
      person?.leave();
      live.end();
    },
  });
  return run.outcome.finally(() => {
    release();
    person?.leave();
  });
}
