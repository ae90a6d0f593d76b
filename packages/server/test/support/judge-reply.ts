// What every reply must be, whatever was asked: a proper answer or the one shape of errors, and nothing of the house in it.

import { homedir } from 'node:os';
import { join } from 'node:path';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** What is wrong with it; nothing when it is as it should be. `method` is that of the request, where there was one. */
export function faultsOf({ status, headers, body }: Reply, method = ''): readonly string[] {
  const faults = status >= 400 && method !== 'HEAD' ? errorFaults(status, headers, body) : [];
  if (status === 405 && !headers.get('allow')) faults.push('405 without Allow');
  if (status === 429 || status === 503) if (!headers.get('retry-after')) faults.push(`${status} without Retry-After`);
  if (status === 500) faults.push('500 for something that came from outside');
  const said = `${JSON.stringify([...headers])}\n${body}`;
  for (const [name, leak] of leaks) if (leak.test(said)) faults.push(`it shows ${name}`);
  return faults.map((fault) => `${fault}: ${status} ${body.slice(0, 300)}`);
}

const kinds = 'usage budget cancelled config bug auth invalid_output model network tool quota rate_limit timeout'.split(
  ' ',
);

function errorFaults(status: number, headers: Headers, body: string): string[] {
  const type = headers.get('content-type') ?? '';
  if (!/^application\/(?:json|vnd\.ai-agent\+json)\b/.test(type)) return ['an error that is not JSON'];
  // Whoever asks for the whole outcome gets that of a failed run, too.
  const said = parse(body);
  const told = (type.includes('vnd') ? said?.failure : said?.error) as Record<string, unknown> | undefined;
  if (typeof told !== 'object' || told === null) return ['an error without its shape'];
  // Errors of other APIs have ours beside their own.
  const error = typeof told.ai_agent === 'object' ? { message: told.message, ...told.ai_agent } : told;
  const isText = (key: string) => typeof error[key] === 'string' && error[key] !== '';
  const missing = ['code', 'message', 'remedy'].filter((key) => !isText(key));
  if (!kinds.includes(String(error.class))) missing.push('class');
  if (typeof error.retryable !== 'boolean') missing.push('retryable');
  if (status >= 500 && error.class === 'usage') missing.push('a status of its class');
  return missing.map((key) => `an error without ${key}`);
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const root = join(import.meta.dirname, '../../../..');

const leaks: readonly (readonly [string, RegExp])[] = [
  ['a stack trace', /\bat (?:async )?[\w.<>$ ]*\(?[\w:/.\\-]+:\d+:\d+\)?/],
  ['a source file', /\b[\w-]+\.[cm]?[jt]s:\d+/],
  ['a folder of packages', /node_modules|node:internal|file:\/\//],
  [
    'where the server is',
    new RegExp(
      [root, process.cwd(), homedir()]
        .filter((at) => at.length > 3)
        .map(literally)
        .join('|'),
    ),
  ],
];
