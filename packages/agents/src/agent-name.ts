// The name of an agent: that of its file, unless the file says otherwise.

import { basename, extname } from 'node:path';
import { hash } from '@ai-agent/core';

const maxLength = 128;

/**
 * Letters, digits, dots, dashes and underscores, in lower case and without accents: `Market Résumé.ai` is `market_resume`.
 * A name with letters or signs outside ASCII, or with more than 128 characters, ends in a short hash of the file name.
 */
export function toAgentName(file: string): string {
  const stem = basename(file, extname(file)).normalize('NFC');
  const folded = stem.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const name = folded.replace(/[^a-z0-9_.-]+/g, '_').replace(/^[^a-z0-9]+/, '');
  const isLossy = /(?![ -~])[\p{L}\p{N}\p{S}]/u.test(folded);
  if (name !== '' && !isLossy && name.length <= maxLength) return name;
  const mark = hash(stem);
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
