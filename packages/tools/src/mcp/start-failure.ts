// Why a server could not be used, in words: what happened, what the server wrote itself, and what would help.

import { AgentError, type FailureClass, messageOf } from '@ai-agent/core';
import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { toNetworkFailure } from '../outbound/network-failure.ts';
import { causesOf } from '../outbound/refusal.ts';
import type { Surroundings } from '../surroundings.ts';
import { type Conceal, headLine, shownUrl, tailLine } from './concealed.ts';
import type { ServerConfig } from './server-config.ts';
import { findStartProblem } from './start-check.ts';
import type { Exit, StdioTransport } from './transports/stdio.ts';

export interface FailedServer {
  readonly server: ServerConfig;
  readonly surroundings: Pick<Surroundings, 'cwd' | 'serverEnv'>;
  readonly conceal: Conceal;
}

interface Ended {
  readonly error: unknown;
  readonly wire: { readonly stdio: StdioTransport | undefined };
}

export function toStartFailure(failed: FailedServer, { error, wire }: Ended): AgentError {
  if (wire.stdio) return ofProcess(failed, wire.stdio, error);
  const status = statusOf(error);
  if (status !== undefined) return ofStatus(failed, status, error);
  const { name, url } = failed.server;
  if (error instanceof ProtocolError)
    return failure(`The server ${name} refused the handshake: ${headLine(messageOf(error), failed.conceal)}.`, {
      cause: error,
    });
  if (isUnreadable(error))
    return failure(
      `The server ${name} at ${shownUrl(url)} answers, and not as MCP: ${sentence(error, failed.conceal)}`,
      {
        class: 'config',
        remedy: `Check url and type of mcpServers.${name}.`,
        cause: error,
      },
    );
  const why = toNetworkFailure(error, `The server ${name}`);
  const said = headLine(why.message, failed.conceal);
  const words = said.includes(name) ? said : `The server ${name} cannot be used: ${said}`;
  return failure(`${words} Its url is ${shownUrl(url)}.`, {
    class: why.class === 'timeout' ? 'network' : why.class,
    retryable: why.retryable,
    remedy: why.class === 'network' ? `Check that it runs, and url of mcpServers.${name}.` : why.remedy,
    ...(why.status === undefined ? {} : { status: why.status }),
    cause: error,
  });
}

/** Somebody is there who answered with a page, with nothing, or with what is no message. */
export function isUnreadable(error: unknown): boolean {
  return causesOf(error).some(
    (cause) =>
      (cause instanceof SdkError &&
        [SdkErrorCode.ClientHttpUnexpectedContent, SdkErrorCode.InvalidResult].includes(cause.code)) ||
      cause instanceof SyntaxError ||
      (cause instanceof Error && /^\$?ZodError$/.test(cause.name)),
  );
}

/** When its time is up. */
export function toLateStart(failed: FailedServer, wire: Ended['wire'] | undefined): AgentError {
  const { name, url, startTimeoutMs } = failed.server;
  const where = wire?.stdio ? commandOf(failed.server) : ` at ${shownUrl(url)}`;
  const said = wire?.stdio ? wroteOf(wire.stdio, failed.conceal) : '';
  return failure(`The server ${name} did not answer within ${startTimeoutMs / 1000} s${where}.${said}`, {
    class: wire?.stdio ? 'timeout' : 'network',
    retryable: true,
    remedy: wire?.stdio
      ? `Run the command by hand to see what it waits for${byHand}; give startTimeoutMs of mcpServers.${name} if it is only slow.`
      : `Check that it runs, and url of mcpServers.${name}; give startTimeoutMs if it is only slow.`,
  });
}

function ofProcess(failed: FailedServer, stdio: StdioTransport, error: unknown): AgentError {
  const { server, conceal } = failed;
  const { name } = server;
  if (stdio.pid === null) return ofSpawn(failed, error);
  const said = wroteOf(stdio, conceal);
  if (stdio.fault)
    return failure(`The server ${name} cannot be used${commandOf(server)}. ${stdio.fault.message}${said}`, {
      remedy: `Check that command of mcpServers.${name} starts an MCP server: it must write only messages to its output.`,
    });
  if (error instanceof ProtocolError)
    return failure(`The server ${name} refused the handshake: ${headLine(messageOf(error), conceal)}.${said}`, {
      cause: error,
    });
  if (!isOfEnd(error))
    return failure(`The server ${name} cannot be used${commandOf(server)}: ${sentence(error, conceal)}${said}`, {
      remedy: `Update the server, or correct command or args of mcpServers.${name}.`,
      cause: error,
    });
  return failure(
    `The server ${name} ended during its start with ${wordsOfExit(stdio.exit)}${commandOf(server)}.${said}`,
    {
      remedy: `Run the command by hand${byHand}, and correct command, args or env of mcpServers.${name}.`,
      cause: error,
    },
  );
}

const byHand = ' (by hand it has all of your variables, here only a few: see docs/tools.md)';

/** Anything else came of what it said, and then it was ended by us. */
function isOfEnd(error: unknown): boolean {
  if (error instanceof SdkError)
    return [SdkErrorCode.ConnectionClosed, SdkErrorCode.NotConnected, SdkErrorCode.SendFailed].includes(error.code);
  return causesOf(error).some((cause) => {
    const { code } = (cause ?? {}) as { readonly code?: unknown };
    return code === 'EPIPE' || code === 'ECONNRESET' || code === 'ERR_STREAM_DESTROYED' || code === 'tool-failed';
  });
}

function sentence(error: unknown, conceal: Conceal): string {
  const words = headLine(messageOf(error), conceal);
  return /[.!?…]$/.test(words) ? words : `${words}.`;
}

function ofSpawn({ server, surroundings, conceal }: FailedServer, error: unknown): AgentError {
  const { name, command } = server;
  const { code } = (error ?? {}) as { readonly code?: unknown };
  const start = `The server ${name} cannot be started`;
  if (code === 'ERR_INVALID_ARG_VALUE')
    // Its message quotes the value, which may be a key.
    return failure(`${start}: a value of its command, args or env has a character in it that no process takes.`, {
      remedy: `Take the NUL byte out of command, args or env of mcpServers.${name}, or out of the variable it comes from.`,
    });
  const problem = findStartProblem(server, surroundings) ?? {
    message: `the command ${JSON.stringify(command)} failed: ${headLine(messageOf(error), conceal)}`,
    remedy: `Correct command of mcpServers.${name}: a program that this user may run.`,
  };
  return failure(`${start}: ${problem.message}.`, { remedy: problem.remedy, cause: error });
}

function ofStatus({ server, conceal }: FailedServer, status: number, error: unknown): AgentError {
  const { name, url } = server;
  const isAuth = status === 401 || status === 403;
  const { text } = (error instanceof SdkHttpError ? error.data : {}) as { readonly text?: unknown };
  const said = typeof text === 'string' && text.trim() !== '' ? `: ${headLine(text, conceal)}` : '';
  const what = isAuth ? 'refuses us' : 'does not speak MCP as it should';
  return failure(`The server ${name} at ${shownUrl(url)} ${what}: it answered with HTTP ${status}${said}`, {
    class: isAuth ? 'auth' : status >= 500 ? 'network' : 'config',
    retryable: status >= 500,
    status,
    remedy: isAuth
      ? `Check the key in headers of mcpServers.${name}, or its oauth.`
      : `Check url and type of mcpServers.${name}.`,
    cause: error,
  });
}

function statusOf(error: unknown): number | undefined {
  for (const cause of causesOf(error)) {
    if (cause instanceof UnauthorizedError) return 401;
    if (cause instanceof SdkHttpError) return cause.status;
    if (cause instanceof SseError && cause.code !== undefined) return cause.code;
  }
  return undefined;
}

/** ` (command "npx")`: arguments may be secrets. */
function commandOf({ command }: ServerConfig): string {
  return ` (command ${JSON.stringify(command)})`;
}

export function wordsOfExit(exit: Exit | undefined): string {
  if (exit?.signal) return `signal ${exit.signal}`;
  return exit?.code === undefined || exit.code === null ? 'its output closed' : `exit code ${exit.code}`;
}

/** What a server wrote beside its messages, as the rest of a sentence; nothing when it wrote nothing. */
export function wroteOf(stdio: StdioTransport, conceal: Conceal): string {
  const tail = tailLine(stdio.stderrTail, conceal);
  return tail === '' ? ' It wrote nothing to its stderr.' : ` It wrote: ${tail}`;
}

interface FailureOptions {
  readonly class?: FailureClass;
  readonly remedy?: string;
  readonly retryable?: boolean;
  readonly status?: number;
  readonly cause?: unknown;
}

function failure(message: string, options: FailureOptions): AgentError {
  return new AgentError('tool-source-failed', message, options);
}
