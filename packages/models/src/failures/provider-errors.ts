// Everything a provider package or the transport throws, as one of our codes. Decided here once, and nowhere else.

import { AgentError, type AgentErrorOptions, type ErrorCode, isAgentError, isObject } from '@ai-agent/core';
import {
  AISDKError,
  APICallError,
  EmptyResponseBodyError,
  InvalidResponseDataError,
  JSONParseError,
  LoadAPIKeyError,
  NoContentGeneratedError,
  TypeValidationError,
} from '@ai-sdk/provider';
import { bounded, chainOf, textOf, toCause } from './causes.ts';
import { bodyOf, codeOfAnswer, readBody } from './provider-status.ts';
import { retryAfterMs } from './retry-after.ts';
import { formsOf, strikeOut } from './secrets.ts';

export interface ProviderErrorContext {
  /** `provider/model`, for messages. */
  readonly model: string;
  readonly signal: AbortSignal;
  /** Values that may appear neither in a message nor in a cause. */
  readonly secrets: readonly string[];
  /** Milliseconds since 1970, for a Retry-After that names a date. */
  readonly now: number | undefined;
}

export function toProviderError(error: unknown, context: ProviderErrorContext): AgentError {
  const { signal, model, secrets } = context;
  if (signal.aborted) return toCancellation(signal.reason);
  const forms = formsOf(secrets);
  const { code, text, cause, ...options } = verdictOn(error, context);
  const own = bounded(strikeOut(text, forms).trim(), 500);
  return new AgentError(code, `${model}: ${own === '' ? `no reason given (${code})` : own}`, {
    ...options,
    ...(cause === undefined ? {} : { cause: toCause(cause, forms) }),
  });
}

/** Who aborted knows why: a reason with a code of its own, such as a timeout, is kept. */
function toCancellation(reason: unknown): AgentError {
  if (isAgentError(reason)) return reason;
  return new AgentError('cancelled', 'The call of the model was cancelled.', { cause: reason });
}

interface Verdict extends AgentErrorOptions {
  readonly code: ErrorCode;
  /** The provider's own words, as long as they come. */
  readonly text: string;
}

function verdictOn(error: unknown, context: ProviderErrorContext): Verdict {
  const known = chainOf(error).find(isAgentError);
  return known ? named(known) : { ...classify(error, context), cause: error };
}

/** Our own words, from the transport or the readers: only the name of the model is missing. */
function named(error: AgentError): Verdict {
  const { code, message: text, cause, remedy, retryable, status, retryAfterMs } = error;
  return {
    code,
    text,
    class: error.class,
    remedy,
    retryable,
    cause,
    ...(status === undefined ? {} : { status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

function classify(error: unknown, context: ProviderErrorContext): Verdict {
  const chain = chainOf(error);
  const broken = chain.find(isNetworkError);
  if (broken) return { code: 'model-network', text: textOf(broken) };
  if (isMadeUp(error)) return fromMadeUp(error, context);
  const garbled = chain.find(isGarbled);
  if (APICallError.isInstance(error) && error.statusCode !== undefined && (!garbled || error.statusCode >= 300))
    return fromStatus(error, error.statusCode, context);
  if (garbled) return { code: 'model-reply-invalid', text: garbledText(error, garbled, context) };
  if (APICallError.isInstance(error)) return { code: 'model-network', text: textOf(error) };
  if (LoadAPIKeyError.isInstance(error)) return { code: 'model-auth', text: textOf(error) };
  // Unsupported parts, invalid prompts and arguments: the package refused before it asked anybody.
  if (AISDKError.isInstance(error)) return { code: 'model-request-refused', text: textOf(error) };
  const isDefect = error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
  if (isDefect) return { code: 'internal', text: textOf(error) };
  // An error the provider wrote into its stream arrives as the plain object it sent, or with a status added to it.
  return isObject(error) ? fromStreamError(error, context) : { code: 'model-unavailable', text: textOf(error) };
}

function fromStatus(error: APICallError, status: number, { now, secrets }: ProviderErrorContext): Verdict {
  const body = readBody(error.responseBody);
  const headers = { ...body.headers, ...error.responseHeaders };
  const waitMs = retryAfterMs({ headers, body: error.responseBody, now });
  return {
    code: codeOfAnswer(body, status),
    text: body.message || excerptOf(error.responseBody, secrets) || error.message || `HTTP ${status}`,
    status,
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
  };
}

/** A package that does not like a reply of status 200 makes up a status, and keeps the reply instead of its text. */
function isMadeUp(error: unknown): error is APICallError {
  return APICallError.isInstance(error) && isObject(error.responseBody);
}

function fromMadeUp({ responseBody, message }: APICallError, context: ProviderErrorContext): Verdict {
  const { error } = responseBody as unknown as Record<string, unknown>;
  return isObject(error) ? fromStreamError(error, context) : { code: 'model-reply-invalid', text: message };
}

function fromStreamError(error: Record<string, unknown>, { now }: ProviderErrorContext): Verdict {
  const body = bodyOf({ error });
  const waitMs = retryAfterMs({ body: inJson({ error }), now });
  const { status } = body;
  return {
    code: codeOfAnswer(body, status),
    text: body.message || (error instanceof Error ? textOf(error) : inJson(error)),
    ...(status === undefined ? {} : { status }),
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
  };
}

/** Also of what is no JSON, such as what holds itself. */
function inJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return '';
  }
}

/** System and TLS errors have codes such as ECONNRESET, ENOTFOUND, CERT_HAS_EXPIRED, UND_ERR_SOCKET. */
function isNetworkError(error: unknown): error is Error {
  if (!(error instanceof Error) || AISDKError.isInstance(error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string') return false;
  return /^(E[A-Z]{3,}|UND_ERR_|CERT_|ERR_(TLS|SSL|STREAM_PREMATURE)|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HPE_|Z_)/.test(
    code,
  );
}

function isGarbled(error: unknown): error is Error {
  return (
    JSONParseError.isInstance(error) ||
    TypeValidationError.isInstance(error) ||
    InvalidResponseDataError.isInstance(error) ||
    EmptyResponseBodyError.isInstance(error) ||
    NoContentGeneratedError.isInstance(error)
  );
}

function garbledText(error: unknown, garbled: Error, { secrets }: ProviderErrorContext): string {
  const body = APICallError.isInstance(error) ? excerptOf(error.responseBody, secrets) : '';
  return body === '' ? textOf(garbled) : `not a reply we can read: ${body}`;
}

/** The start of a body; of a page, its words. Struck out before it is cut: half a key is no longer found. */
function excerptOf(body: unknown, secrets: readonly string[]): string {
  const text = strikeOut(typeof body === 'string' ? body : '', formsOf(secrets)).slice(0, 4000);
  const words = /^\s*</.test(text) ? text.replace(/<(script|style)[\s\S]*?<\/\1>|<[^>]*>/gi, ' ') : text;
  return words
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 300);
}
