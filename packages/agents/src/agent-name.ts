// The name of an agent: that of its file, unless the file says otherwise.

import { basename, extname } from 'node:path';

/** Letters, digits, dots, dashes and underscores, in lower case: `Market Research.ai` is `market_research`. */
export function toAgentName(file: string): string {
  const name = basename(file, extname(file))
    .toLowerCase()
    .replace(/[^a-z0-9_.-]+/g, '_')
    .replace(/^[^a-z0-9]+/, '');
  return name.slice(0, 128) || 'agent';
}

/** What servers answer to themselves, and what every session has a tool of its own for. */
export const reservedNames: readonly string[] = [
  'models',
  'messages',
  'chat',
  'responses',
  'completions',
  'sessions',
  'task_status',
  'final_report',
  'batch',
  'tool_output',
];
