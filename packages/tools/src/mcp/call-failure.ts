// Why a call has no result, in words, and whether the server may have done the work.

import { AgentError, type FailureClass, isAgentError, messageOf } from '@ai-agent/core';
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, UnauthorizedError } from '@modelcontextprotocol/client';
import { toNetworkFailure } from '../outbound/network-failure.ts';
import { causesOf } from '../outbound/refusal.ts';
import { type Conceal, headLine } from './concealed.ts';
import { wordsOfExit, wroteOf } from './start-failure.ts';
import type { StdioTransport } from './transports/stdio.ts';
import { isLost } from './transports/watched.ts';

export interface FailedCall {
  readonly serverName: string;
  /** What was asked for: `the call of search`. */
  readonly what: string;
  /** Whether it was no call but the list of its tools. */
  readonly isOfList: boolean;
  readonly stdio: StdioTransport | undefined;
  readonly sessionId: string | undefined;
  readonly conceal: Conceal;
}

/** What became of a call: the server does not know us any more, it is gone, or it answered. */
export type Fate = 'forgotten' | 'lost' | 'answered';

export function fateOf(error: unknown, { sessionId }: Pick<FailedCall, 'sessionId'>): Fate {
  if (error instanceof SdkHttpError) return isForgotten(error, sessionId) ? 'forgotten' : 'answered';
  if (isLost(error)) return 'lost';
  if (error instanceof ProtocolError || error instanceof UnauthorizedError) return 'answered';
  if (error instanceof SdkError)
    return [SdkErrorCode.ConnectionClosed, SdkErrorCode.NotConnected, SdkErrorCode.SendFailed].includes(error.code)
      ? 'lost'
      : 'answered';
  // Whatever else is thrown on the way is of pipes and sockets; what was refused here never left, or was judged already.
  const ours = causesOf(error).find(isAgentError);
  if (ours?.code === 'tool-source-failed') return 'answered';
  return ours && ours.class !== 'network' && ours.class !== 'timeout' ? 'answered' : 'lost';
}

/** A session that ran out: the request was not looked at. Some servers say so with 400. */
function isForgotten({ status, data }: SdkHttpError, sessionId: string | undefined): boolean {
  if (sessionId === undefined) return false;
  const { text } = (data ?? {}) as { readonly text?: unknown };
  return status === 404 || (status === 400 && typeof text === 'string' && /session|initiali[sz]ed/i.test(text));
}

/** For a call that was lost. */
export function toLostCall(call: FailedCall, error: unknown): AgentError {
  const { serverName, what, isOfList, stdio, conceal } = call;
  if (!stdio && causesOf(error).some(isNotReached)) return toNetworkFailure(error, `The server ${serverName}`);
  const how = stdio
    ? `ended with ${wordsOfExit(stdio.exit)}`
    : `broke off the connection (${headLine(messageOf(causesOf(error).at(-1)), conceal)})`;
  const why = stdio?.fault ? ` ${stdio.fault.message}` : '';
  const said = stdio ? wroteOf(stdio, conceal) : '';
  const doubt = isOfList ? '' : ' It is not known whether the work was done.';
  return new AgentError('tool-failed', `The server ${serverName} ${how} during ${what}.${why}${doubt}${said}`, {
    class: 'network',
    retryable: true,
    remedy: isOfList
      ? `Check that the server ${serverName} runs, and what it writes.`
      : 'Find out whether the work was done before you ask for it again; the server is started again when needed.',
    cause: error,
  });
}

/** Nothing was sent. */
function isNotReached(cause: unknown): boolean {
  const { code } = (cause ?? {}) as { readonly code?: unknown };
  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'].includes(String(code));
}

/** For a call that was answered with anything but a result. */
export function toFailedCall(call: FailedCall, error: unknown): AgentError {
  const known = causesOf(error).find(isAgentError);
  if (known) return withStderr(known, call);
  const { serverName, what, conceal } = call;
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
    return new AgentError('tool-timeout', `The server ${serverName} did not answer ${what} in time.`, {
      remedy: `Ask for less at once, or raise requestTimeoutMs of mcpServers.${serverName}.`,
      cause: error,
    });
  const status = error instanceof UnauthorizedError ? 401 : error instanceof SdkHttpError ? error.status : undefined;
  const failureClass = status === undefined ? 'tool' : classOf(status);
  const why = status === undefined ? headLine(messageOf(error), conceal) : `HTTP ${status}${bodyOf(error, conceal)}`;
  return new AgentError('tool-failed', `The server ${serverName} failed at ${what}: ${why}`, {
    class: failureClass,
    retryable: failureClass === 'network' || failureClass === 'rate_limit',
    ...(status === undefined ? {} : { status }),
    ...remedyFor(call, failureClass),
    cause: error,
  });
}

/** What was not done in time: a server may have written why. */
function withStderr(known: AgentError, { stdio, conceal }: FailedCall): AgentError {
  if (known.class !== 'timeout' || !stdio) return known;
  const { code, remedy, retryable } = known;
  const options = { class: known.class, remedy, retryable, cause: known };
  return new AgentError(code, `${known.message}${wroteOf(stdio, conceal)}`, options);
}

function remedyFor({ serverName, isOfList }: FailedCall, failureClass: FailureClass): { readonly remedy?: string } {
  if (failureClass === 'auth') return { remedy: `Check the key in headers of mcpServers.${serverName}, or its oauth.` };
  return isOfList ? { remedy: `Update the server ${serverName}, or take it away from the agent.` } : {};
}

function classOf(status: number): FailureClass {
  if (status === 401 || status === 403) return 'auth';
  if (status === 429) return 'rate_limit';
  return status >= 500 ? 'network' : 'tool';
}

function bodyOf(error: unknown, conceal: Conceal): string {
  const { text } = (error instanceof SdkHttpError ? (error.data ?? {}) : {}) as { readonly text?: unknown };
  return typeof text === 'string' && text.trim() !== '' ? `: ${headLine(text, conceal)}` : '';
}
