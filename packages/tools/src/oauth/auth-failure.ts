// What went wrong in a login, in our own words: nothing of what is secret, and little of what a stranger wrote.

import { AgentError, type ErrorCode, type FailureClass, isAgentError, messageOf, oneLine } from '@ai-agent/core';
import {
  AuthorizationServerMismatchError,
  InsecureTokenEndpointError,
  IssuerMismatchError,
  RegistrationRejectedError,
} from '@modelcontextprotocol/client';
import { refusalIn } from '../outbound/refusal.ts';

/** An authorization server said no to a request for a token. */
export class TokenRefusal extends Error {
  /** As RFC 6749 names them: invalid_grant, invalid_client. */
  readonly reason: string;
  readonly status: number;

  constructor(reason: string, description: string, status: number) {
    super(description === '' ? reason : `${reason}: ${description}`);
    this.name = 'TokenRefusal';
    this.reason = reason;
    this.status = status;
  }

  /** Whether what was shown is good for nothing any more; anything else may be a firewall, or a bad day. */
  get isFinal(): boolean {
    return finalReasons.has(this.reason) && !isTrouble(this.status);
  }
}

/** The last one is GitHub's word for the first. */
const finalReasons = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client', 'bad_refresh_token']);

/** Somebody was asked and gave no plain answer: the same may go well later. */
export class Outage extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.name = 'Outage';
    this.status = status;
  }
}

/** Whether a status says that it is not the time to ask, and nothing of what was asked. */
export function isTrouble(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

const code: ErrorCode = 'tool-source-failed';

/** Anything thrown on the way to a token, as an error to show. */
export function toAuthFailure(serverName: string, error: unknown, secrets: Iterable<string>): AgentError {
  const refusal = refusalIn(error);
  if (refusal)
    return authFailure(
      `The login to ${serverName} leads where it may not: ${refusal.message}`,
      `If that is its authorization server, name it: oauth.issuer of mcpServers.${serverName}.`,
    );
  const known = findAgentError(error);
  if (known) return known;
  const says = conceal(oneLine(describe(error)), secrets).slice(0, 500);
  const itsClass = classOf(error);
  return new AgentError(code, `The login to ${serverName} failed: ${says}`, {
    class: itsClass,
    retryable: itsClass !== 'auth',
    remedy: remedies[itsClass] ?? remedyOf(serverName, error),
  });
}

export function authFailure(message: string, remedy: string): AgentError {
  return new AgentError(code, message, { class: 'auth', remedy });
}

export function conceal(text: string, secrets: Iterable<string>): string {
  let told = text;
  for (const secret of secrets) if (secret.length > 3) told = told.replaceAll(secret, '[hidden]');
  return told;
}

/** Fetch wraps what its parts threw. */
function findAgentError(error: unknown): AgentError | undefined {
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth++)
    if (isAgentError(one)) return one;
  return undefined;
}

function describe(error: unknown): string {
  // What came back in a mix-up was written by the attacker: none of it is shown.
  if (error instanceof IssuerMismatchError)
    return 'the answer does not come from the authorization server that was asked';
  if (error instanceof AuthorizationServerMismatchError)
    return `what is set up belongs to ${error.recordedIssuer}, and the server now names ${error.currentIssuer}`;
  if (error instanceof RegistrationRejectedError)
    return `we could not register ourselves (HTTP ${error.status}): ${error.body}; give oauth.clientId if there is one`;
  if (error instanceof InsecureTokenEndpointError)
    return `tokens are not asked for without TLS at ${error.tokenEndpoint}`;
  if (error instanceof Error && error.cause instanceof Error) return `${messageOf(error)}: ${messageOf(error.cause)}`;
  return messageOf(error);
}

const reach = 'Check that it and its authorization server can be reached, then try again.';
const remedies: Readonly<Partial<Record<FailureClass, string>>> = {
  network: reach,
  timeout: reach,
  rate_limit: 'Wait a while, then try again.',
};

function remedyOf(serverName: string, error: unknown): string {
  const check = `Check oauth of mcpServers.${serverName}, and what this account is allowed to use.`;
  if (!(error instanceof TokenRefusal) || error.isFinal) return check;
  return `${check} If it stays, sign in anew: ai-agent logout <agent file>, then ai-agent login <agent file>.`;
}

function classOf(error: unknown): FailureClass {
  if (error instanceof TypeError && error.message === 'fetch failed') return 'network';
  if (error instanceof TokenRefusal && !isTrouble(error.status)) return 'auth';
  if (!(error instanceof TokenRefusal || error instanceof Outage)) return 'auth';
  if (error.status === 429) return 'rate_limit';
  return error.status === 408 || error.status === 504 ? 'timeout' : 'network';
}
