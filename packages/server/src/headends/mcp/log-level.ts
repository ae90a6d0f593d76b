// How much a client wants to be told of what goes on: what it said last, or for one request what stands beside it.

import { LOG_LEVEL_META_KEY, type LoggingLevel, type ServerContext } from '@modelcontextprotocol/server';

const levels: readonly LoggingLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

/** Who has never said anything is told what went wrong. */
const usual: LoggingLevel = 'warning';

export class LogLevel {
  #said: LoggingLevel | undefined;

  set(level: LoggingLevel): void {
    this.#said = level;
  }

  /** Whether what is of this level is said during a request. The newer revision has it that who says nothing hears nothing. */
  hears(level: LoggingLevel, context: ServerContext): boolean {
    const envelope = context.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
    const asked = envelope?.[LOG_LEVEL_META_KEY] as LoggingLevel | undefined;
    if (envelope && asked === undefined) return false;
    return levels.indexOf(level) >= levels.indexOf(asked ?? this.#said ?? usual);
  }
}
