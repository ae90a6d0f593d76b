// Requests to authorization servers: timed, bounded, and a token that is refused is an error of ours.

import { AgentError, type Clock, isObject } from '@ai-agent/core';
import type { FetchLike } from '@modelcontextprotocol/client';
import { TokenRefusal } from './auth-failure.ts';

const requestTimeoutMs = 15_000;
const maxBodyBytes = 1_000_000;

/** The SDK would write to the console about refused tokens, and try again on its own: here it never learns of them. */
export function authFetch(
  fetch: FetchLike,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): FetchLike {
  return async (url, init) => {
    const late = new AbortController();
    const callOff = clock.after(requestTimeoutMs, () => late.abort(tooLate(url)));
    try {
      const signals = [late.signal, signal, ...(init?.signal ? [init.signal] : [])];
      const response = await fetch(url, { ...init, signal: AbortSignal.any(signals) });
      const body = await readBody(response, url);
      if (isTokenRequest(init)) throwIfRefused(response, body);
      return new Response(body.length === 0 ? null : body, response);
    } catch (error) {
      throw late.signal.aborted ? late.signal.reason : error;
    } finally {
      callOff();
    }
  };
}

async function readBody(response: Response, url: string | URL): Promise<Buffer<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of response.body ?? []) {
    length += piece.length;
    if (length > maxBodyBytes)
      throw new AgentError(
        'tool-source-failed',
        `The authorization server at ${originOf(url)} answers without an end.`,
        {
          class: 'auth',
        },
      );
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function isTokenRequest(init: RequestInit | undefined): boolean {
  return init?.method === 'POST' && init.body instanceof URLSearchParams && init.body.has('grant_type');
}

/** Some servers say no with a status of 200. */
function throwIfRefused(response: Response, body: Buffer): void {
  const said = parse(body);
  if (response.ok && !('error' in said && !('access_token' in said))) return;
  if (response.status >= 300 && response.status < 400) return;
  const reason = typeof said.error === 'string' ? said.error : `HTTP ${response.status}`;
  const description = typeof said.error_description === 'string' ? said.error_description : '';
  throw new TokenRefusal(reason, description, response.status);
}

function parse(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString());
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function tooLate(url: string | URL): AgentError {
  return new AgentError('tool-source-failed', `The authorization server at ${originOf(url)} does not answer.`, {
    class: 'timeout',
    remedy: 'Check that it can be reached, then try again.',
    retryable: true,
  });
}

function originOf(url: string | URL): string {
  return new URL(url).origin;
}
