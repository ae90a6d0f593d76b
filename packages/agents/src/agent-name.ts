// The name of an agent: that of its file, unless the file says otherwise.

import { basename, extname } from 'node:path';

const maxLength = 128;

/**
 * Letters, digits, dots, dashes and underscores, in lower case and without accents: `Market Résumé.ai` is `market_resume`.
 * A file name with other letters or signs, or one that is too long, gets a short hash of itself, so that no two are alike.
 */
export function toAgentName(file: string): string {
  const stem = basename(file, extname(file)).normalize('NFC');
  const folded = stem.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '');
  const name = folded.replace(/[^a-z0-9_.-]+/g, '_').replace(/^[^a-z0-9]+/, '');
  const isLossy = /(?![ -~])[\p{L}\p{N}\p{S}]/u.test(folded);
  if (name !== '' && !isLossy && name.length <= maxLength) return name;
  // Loaded when it is needed: most file names are plain.
  const mark = process.getBuiltinModule('node:crypto').hash('sha256', stem).slice(0, 8);
  const readable = name.slice(0, maxLength - mark.length - 1).replace(/[^a-z0-9]+$/, '');
  return `${readable || 'agent'}-${mark}`;
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
