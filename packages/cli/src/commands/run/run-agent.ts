// Runs an agent that is loaded: the answer goes to stdout, everything else to stderr.

import { type AgentEvent, Written } from '@ai-agent/core';
import { exitCodeOf } from '../../exit-codes.ts';
import { systemClock } from '../../platform.ts';
import type { LiveOptions } from '../../render/live.ts';
import { asPipe } from '../../render/screen.ts';
import { showLive } from '../../render/show-live.ts';
import { toJson } from '../../render/to-json.ts';
import type { Terminal } from '../../terminal.ts';
import { printOutcome } from './print-outcome.ts';
import { runAttended } from './run-attended.ts';
import type { RunRequest } from './run-request.ts';

export async function runAgent(request: RunRequest, terminal: Terminal): Promise<number> {
  const { loaded, prompt, attachments = [], print = 'answer', output } = request;
  const live = await showLive(toLiveOptions(request, terminal));
  request.outside?.sayTo((line) => live.say(line));
  const { cache, plugins, kept } = request;
  const more = { ...(cache ? { cache } : {}), ...(plugins ? { plugins: plugins.port } : {}) };
  const ports = { ...loaded.session.ports, ...more, ...kept?.ports };
  const files = attachments.length > 0 ? { attachments } : {};
  const settings = { ...kept?.given, ...files, ...(output ? { output } : {}) };
  const config = { ...loaded.session, ports, agent: loaded.agent, ...settings };
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
    await request.onOutcome?.(outcome);
    await printOutcome(outcome, { request, terminal, live, draft: written.text });
    return exitCodeOf(outcome);
  } catch (error) {
    await kept?.undo(error);
    throw error;
  } finally {
    live.end();
    release();
  }
}

/** Where both are one screen, events that pass there leave no room for a panel. */
function toLiveOptions({ print = 'answer', detail = 'usual', outside }: RunRequest, terminal: Terminal): LiveOptions {
  const { stdout, stderr, isColoured } = terminal;
  const isCrowded = print === 'events' && stderr.isTTY === true && stdout.isTTY === true;
  return {
    screen: isCrowded ? asPipe(stderr) : stderr,
    isColoured,
    now: systemClock.now,
    detail,
    waitsFor: outside?.watched.inWords,
    answerTo: print === 'answer' && stdout.isTTY === true ? stdout : undefined,
  };
}
