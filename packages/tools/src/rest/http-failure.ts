// An HTTP exchange that went wrong, as a failure that says whose it is and what to do.

import {
  AgentError,
  type AgentErrorOptions,
  type Clock,
  type FailureClass,
  oneLine,
  type ToolOutput,
  toFailure,
} from '@ai-agent/core';
import { toNetworkFailure } from '../outbound/network-failure.ts';
import { decode, readBytes } from './read-body.ts';
import { struck } from './secrets.ts';

/** Characters of a server's own words in a message. */
const maxWords = 2000;
/** How long they are waited for: what came until then has to do. */
const maxWordsMs = 2000;

export interface FailureSetting {
  /** Where this is set up, as in `restTools.weather`: for remedies. */
  readonly owner: string;
  readonly secrets: readonly string[];
  /** Whether the same call may be made again. */
  readonly isRepeatable: boolean;
}

export interface RefusedSetting extends FailureSetting {
  readonly clock: Clock;
}

/** An answer that is not a good one. */
export async function refusedAnswer(response: Response, setting: RefusedSetting): Promise<ToolOutput> {
  const words = await wordsOf(response, setting);
  const wait = waitOf(response.headers.get('retry-after'));
  const kind = classOf(response.status);
  const waiting = wait === undefined ? '' : ` It asks to wait ${Math.ceil(wait / 1000)} s.`;
  return toOutput(`HTTP ${response.status}: ${words || response.statusText || 'no words with it'}${waiting}`, {
    class: kind,
    status: response.status,
    remedy: remedyOf(response.status, kind, setting.owner),
    retryable: kind === 'rate_limit' || ((kind === 'network' || kind === 'timeout') && setting.isRepeatable),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  });
}

/** Something thrown before an answer came, or while it came. */
export function brokenExchange(error: unknown, setting: FailureSetting, text = ''): ToolOutput {
  const known = toNetworkFailure(error, `The server of ${setting.owner}`);
  const message = struck(oneLine(known.message), setting.secrets).slice(0, maxWords);
  // A network failure may have come after the work was done there: only what may be repeated is worth another try.
  const retryable = known.retryable && setting.isRepeatable;
  const failure = { ...toFailure(known), message, retryable };
  return { type: 'failure', failure, ...(text === '' ? {} : { text }) };
}

function toOutput(message: string, options: AgentErrorOptions): ToolOutput {
  return { type: 'failure', failure: toFailure(new AgentError('tool-failed', message, options)) };
}

async function wordsOf(response: Response, { secrets, clock }: RefusedSetting): Promise<string> {
  const time = new AbortController();
  const callOff = clock.after(maxWordsMs, () => time.abort());
  try {
    const { bytes } = await readBytes(response, 4 * maxWords, time.signal);
    const text = oneLine(decode(bytes, response.headers.get('content-type') ?? ''));
    const safe = struck(text, secrets);
    return safe.length > maxWords ? `${safe.slice(0, maxWords).toWellFormed()}…` : safe;
  } catch {
    return '';
  } finally {
    callOff();
  }
}

/** What is said by something on the way (502, 503) is the network's; 500 and its like are the service's own. */
function classOf(status: number): FailureClass {
  if (status === 401 || status === 403 || status === 407) return 'auth';
  if (status === 429) return 'rate_limit';
  if (status === 408 || status === 504) return 'timeout';
  return status === 502 || status === 503 ? 'network' : 'tool';
}

function remedyOf(status: number, kind: FailureClass, owner: string): string {
  if (kind === 'auth') return `Check the key and the rights in ${owner}; other arguments will not help.`;
  if (kind === 'rate_limit') return 'Wait, and ask for less at once.';
  if (kind === 'timeout') return 'Ask for less at once, or try again later.';
  if (status >= 500) return 'The service is in trouble: try again later, or do without it.';
  return 'Read what the server says; call again with other arguments.';
}

/** Seconds or a date. */
function waitOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header) * 1000;
  const until = Date.parse(header) - Date.now();
  return until > 0 ? until : undefined;
}
