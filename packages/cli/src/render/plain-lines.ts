// A run as lines of text, for logs and pipes: who, the run's id, where, what. No colours.

import { type AgentEvent, type LogRecord, toLogLine, toLogRecord } from '@ai-agent/core';

/** `errors`: only sessions below that failed, of which the root's outcome may say nothing. */
export type Detail = 'errors' | 'usual' | 'all';

/** The line of an event, when it is told at this level of detail. */
export function toPlainLine(event: AgentEvent, detail: Detail): string | undefined {
  if (event.kind !== 'fact') return undefined;
  const record = toLogRecord(event);
  return isTold(record, detail) ? toLogLine(record) : undefined;
}

function isTold({ level, parentId }: LogRecord, detail: Detail): boolean {
  if (detail === 'all') return true;
  return detail === 'usual' ? level !== 'debug' : level === 'error' && parentId !== null;
}
