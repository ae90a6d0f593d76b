// What `--trace-llm`, `--trace-sdk` and `--trace-mcp` start: loaded only for who asks.

import type { AgentEvent } from '@ai-agent/core';
import type { Models } from '@ai-agent/models';
import type { Traffic } from '@ai-agent/tools';
import { flagValue, type Words } from '../../arguments.ts';
import { asPipe } from '../../render/screen.ts';
import type { Terminal } from '../../terminal.ts';

export interface Traces {
  /** Told every event of the run, for `--trace-llm`. */
  readonly onEvent?: (event: AgentEvent) => void;
  /** They open the models of the run, for `--trace-sdk`. */
  readonly models?: Pick<Models, 'open'>;
  /** Told what is said to servers and by them, for `--trace-mcp`. */
  readonly onTraffic?: (traffic: Traffic) => void;
}

/** Undefined when none was asked for. Of what is said to servers the secrets are left out. */
export async function startTraces(
  words: Words,
  stderr: Terminal['stderr'],
  secrets: ReadonlySet<string>,
): Promise<Traces | undefined> {
  const write = (text: string) => void stderr.write(text);
  const isLlm = flagValue(words, '--trace-llm') !== undefined;
  const isWire = flagValue(words, '--trace-sdk') !== undefined;
  const isServers = flagValue(words, '--trace-mcp') !== undefined;
  if (!isLlm && !isWire && !isServers) return undefined;
  return {
    ...(isLlm ? { onEvent: (await import('./trace-llm.ts')).traceModels(write) } : {}),
    ...(isWire ? { models: (await import('./trace-wire.ts')).traceWire(write) } : {}),
    ...(isServers ? { onTraffic: (await import('./trace-servers.ts')).traceServers(write, secrets) } : {}),
  };
}

/** A panel that redraws itself would write over a trace: beside one there are lines alone. */
export function withoutPanel(terminal: Terminal): Terminal {
  return { ...terminal, stderr: asPipe(terminal.stderr), isColoured: false };
}
