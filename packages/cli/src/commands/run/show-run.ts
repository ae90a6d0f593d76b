// A run on the screen, with somebody there: shown while it works, questions asked, the answer below it.

import { type AgentEvent, type Outcome, Written } from '@ai-agent/core';
import { steadyNow } from '../../platform.ts';
import type { Live, LiveOptions } from '../../render/live.ts';
import { asPipe } from '../../render/screen.ts';
import { showLive } from '../../render/show-live.ts';
import { toJson } from '../../render/to-json.ts';
import type { Terminal } from '../../terminal.ts';
import { runAttended } from './run-attended.ts';
import type { RunRequest } from './run-request.ts';

/** A run that has ended, and whose outcome is to be printed. */
export interface ShownRun {
  readonly outcome: Outcome;
  /** Knows what was read while it came. */
  readonly live: Pick<Live, 'isRead'>;
  /** What the root had begun to write and never finished. */
  readonly draft: string;
  /** Signals are no longer for this run: for when everything is printed. */
  release(): void;
}

export async function showRun(request: RunRequest, terminal: Terminal): Promise<ShownRun> {
  const { loaded, prompt, attachments, print = 'answer', output } = request;
  const live = await showLive(toLiveOptions(request, terminal));
  request.outside?.sayTo((line) => live.say(line));
  const { cache, plugins, kept } = request;
  const more = { ...(cache ? { cache } : {}), ...(plugins ? { plugins: plugins.port } : {}) };
  const ports = { ...loaded.session.ports, ...more, ...kept?.ports };
  const settings = { ...kept?.given, ...(attachments?.length ? { attachments } : {}), ...(output ? { output } : {}) };
  const agent = kept ? kept.withBudget(loaded.agent) : loaded.agent;
  const config = { ...loaded.session, ports, agent, ...settings };
  const written = new Written();
  const onEvent = (told: AgentEvent) => {
    kept?.onEvent(told);
    const event = written.see(told);
    request.onEvent?.(event);
    live.onEvent(event);
    if (print === 'events') terminal.stdout.write(`${toJson(event, terminal.stdout)}\n`);
  };
  let release = () => {};
  try {
    const onAbandon = kept && (() => kept.abandon());
    const attended = await runAttended({ ...config, onEvent }, prompt, { terminal, live, written, onAbandon });
    release = attended.release;
    const told = await attended.outcome;
    const outcome = written.addTo(told);
    kept?.end(outcome, told);
    live.end();
    return { outcome, live, draft: written.text, release };
  } catch (error) {
    live.end();
    release();
    // It never began, and what it was to go on with is as it was.
    await kept?.undo(error);
    throw error;
  }
}

/** Where both are one screen, events that pass there leave no room for a panel. */
function toLiveOptions(request: RunRequest, terminal: Terminal): LiveOptions {
  const { print = 'answer', detail = 'usual', outside, typed, leavesLone } = request;
  const { stdout, stderr, isColoured } = terminal;
  const isCrowded = print === 'events' && stderr.isTTY === true && stdout.isTTY === true;
  return {
    screen: isCrowded ? asPipe(stderr) : stderr,
    isColoured,
    now: steadyNow(),
    detail,
    waitsFor: () => typed?.() || (outside?.watched.inWords() ?? ''),
    leavesLone,
    answerTo: print === 'answer' && stdout.isTTY === true ? stdout : undefined,
  };
}
