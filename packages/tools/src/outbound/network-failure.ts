// A request that came to nothing, in words: what was wrong between here and there, and whether trying again may help.

import { AgentError, type AgentErrorOptions, isAgentError, messageOf, oneLine } from '@ai-agent/core';
import { causesOf, refusalIn } from './refusal.ts';

/** `what` begins the sentence: `The server weather`. What already says what it is, is given back as it is. */
export function toNetworkFailure(error: unknown, what: string): AgentError {
  const causes = causesOf(error);
  const known = refusalIn(error) ?? causes.find(isAgentError);
  if (known) return known;
  const names = causes.map((cause) => (cause as { name?: unknown }).name);
  if (names.includes('TimeoutError')) return timeout(what, 'did not answer in time', error);
  if (names.includes('AbortError'))
    return new AgentError('cancelled', `${what}: the request was called off.`, { cause: error });
  for (const cause of causes) {
    const failure = ofCode((cause as { code?: unknown }).code, what, error);
    if (failure) return failure;
  }
  return broken(`${what} cannot be reached: ${innermost(error, causes)}.`, { cause: error });
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses connections: nothing listens at this address and port',
  ENOTFOUND: 'cannot be reached: nobody knows its host name',
  EAI_AGAIN: 'cannot be reached: its host name could not be looked up just now',
  ECONNRESET: 'broke off the connection',
  EPIPE: 'broke off the connection',
  UND_ERR_SOCKET: 'broke off the connection',
  ECONNABORTED: 'broke off the connection',
  EHOSTUNREACH: 'cannot be reached: there is no way to its address',
  ENETUNREACH: 'cannot be reached: there is no way to its address',
  EADDRNOTAVAIL: 'cannot be reached: there is no way to its address',
  UND_ERR_HEADERS_OVERFLOW: 'answered with headers that are too long',
  UND_ERR_CLOSED: 'cannot be asked any more: its connections were closed here',
  UND_ERR_DESTROYED: 'cannot be asked any more: its connections were closed here',
};

const slow = new Set(['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

const certificates: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'one of its signers is signed by itself',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its signer is not known',
  UNABLE_TO_GET_ISSUER_CERT: 'its signer is not known',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its signer is not known',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another host name',
};

function ofCode(code: unknown, what: string, cause: unknown): AgentError | undefined {
  if (typeof code !== 'string') return undefined;
  if (slow.has(code)) return timeout(what, 'did not take up a connection in time', cause);
  const reason = reasons[code];
  if (reason) return broken(`${what} ${reason}.`, { cause });
  const certificate = certificates[code];
  if (certificate)
    return broken(`${what} has a certificate that cannot be trusted: ${certificate}.`, {
      cause,
      retryable: false,
      remedy: 'Correct the address or the certificate; NODE_EXTRA_CA_CERTS names signers of your own.',
    });
  if (code !== 'EPROTO' && !code.startsWith('ERR_SSL') && !code.startsWith('ERR_TLS')) return undefined;
  return broken(`${what} does not speak TLS as it should (${code}).`, {
    cause,
    retryable: false,
    remedy: 'Check whether the address is meant to begin with http or https, and its port.',
  });
}

function broken(message: string, options: AgentErrorOptions): AgentError {
  const remedy = 'Check the address and whether the server runs, then try again.';
  return new AgentError('tool-failed', message, { class: 'network', retryable: true, remedy, ...options });
}

function timeout(what: string, how: string, cause: unknown): AgentError {
  const remedy = 'Try again; if it stays, check the address and the server.';
  return new AgentError('tool-timeout', `${what} ${how}.`, { remedy, cause });
}

const mostWords = 300;

function innermost(error: unknown, causes: readonly unknown[]): string {
  const words = oneLine(messageOf(causes.at(-1) ?? error)).slice(0, mostWords);
  // Libraries quote the value, and that may be a key.
  return /invalid header|header value/i.test(words) ? 'a header has a value that cannot be sent' : words;
}
