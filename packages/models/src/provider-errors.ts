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
import { codeOfBody, codeOfStatus, type ErrorBody, readBody } from './provider-status.ts';
import { retryAfterMs } from './retry-after.ts';

export interface ProviderErrorContext {
  /** `provider/model`, for messages. */
  readonly model: string;
  readonly signal: AbortSignal;
  /** Values that may not appear in a message. */
  readonly secrets: readonly string[];
  /** Milliseconds since 1970, for a Retry-After that names a date. */
  readonly now: number | undefined;
}

export function toProviderError(error: unknown, context: ProviderErrorContext): AgentError {
  const { signal } = context;
  if (signal.aborted) return toCancellation(signal.reason);
  const known = chainOf(error).find(isAgentError);
  if (known) return named(known, context);
  const { code, text, ...options } = classify(error, context);
  return new AgentError(code, toMessage(text, code, context), { cause: safeCause(error, context), ...options });
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

function classify(error: unknown, { now }: ProviderErrorContext): Verdict {
  const chain = chainOf(error);
  const broken = chain.find(isNetworkError);
  if (broken) return { code: 'model-network', text: textOf(broken) };
  const garbled = chain.find(isGarbled);
  if (APICallError.isInstance(error) && error.statusCode !== undefined && (!garbled || error.statusCode >= 300))
    return fromStatus(error, error.statusCode, now);
  if (garbled) return { code: 'model-reply-invalid', text: garbledText(error, garbled) };
  if (APICallError.isInstance(error)) return { code: 'model-network', text: textOf(error) };
  if (LoadAPIKeyError.isInstance(error)) return { code: 'model-auth', text: textOf(error) };
  // Unsupported parts, invalid prompts and arguments: the package refused before it asked anybody.
  if (AISDKError.isInstance(error)) return { code: 'model-request-refused', text: textOf(error) };
  // An error the provider wrote into its stream arrives as the plain object it sent.
  if (isObject(error) && !(error instanceof Error)) return fromStreamError(error);
  const isDefect = error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
  return { code: isDefect ? 'internal' : 'model-unavailable', text: textOf(error) };
}

function fromStatus(error: APICallError, status: number, now: number | undefined): Verdict {
  const body = readBody(error.responseBody);
  const code = codeOfStatus(status, body);
  const waitMs = retryAfterMs(error.responseHeaders, now);
  return {
    code,
    text: body.message || excerptOf(error.responseBody) || error.message || `HTTP ${status}`,
    status,
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
  };
}

function fromStreamError(error: Record<string, unknown>): Verdict {
  const body: ErrorBody = readBody(JSON.stringify({ error }));
  const status = [error.statusCode, error.status, error.code].map(Number).find((n) => n >= 400 && n < 600);
  const code = status === undefined ? codeOfBody(body) : codeOfStatus(status, body);
  return { code, text: body.message || JSON.stringify(error), ...(status === undefined ? {} : { status }) };
}

/** The error and its causes, outermost first. */
function chainOf(error: unknown): readonly unknown[] {
  const chain: unknown[] = [];
  for (let next = error; next !== undefined && next !== null && !chain.includes(next) && chain.length < 20; ) {
    chain.push(next);
    next = typeof next === 'object' ? (next as { cause?: unknown }).cause : undefined;
  }
  return chain;
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

function garbledText(error: unknown, garbled: Error): string {
  const body = APICallError.isInstance(error) ? excerptOf(error.responseBody) : '';
  return body === '' ? textOf(garbled) : `not a reply we can read: ${body}`;
}

/** The start of a body; of a page, its words. */
function excerptOf(body: string | undefined): string {
  const text = body ?? '';
  const words = /^\s*</.test(text) ? text.replace(/<(script|style)[\s\S]*?<\/\1>|<[^>]*>/gi, ' ') : text;
  return words.replace(/\s+/g, ' ').trim().slice(0, 300);
}

function textOf(error: unknown): string {
  if (typeof error === 'string') return error;
  const { message, code, name } = isObject(error) ? error : ({} as Record<string, unknown>);
  const found = [message, code, name].find((text) => typeof text === 'string' && text.trim() !== '');
  return typeof found === 'string' ? found : '';
}

function toMessage(text: string, code: ErrorCode, { model, secrets }: ProviderErrorContext): string {
  const own = bounded(strikeOut(text, secrets).trim(), 500);
  return `${model}: ${own === '' ? `no reason given (${code})` : own}`;
}

function bounded(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

function strikeOut(text: string, secrets: readonly string[]): string {
  return secrets.reduce((kept, secret) => kept.replaceAll(secret, '***'), text);
}

/** A provider may echo the key in its answer: then the cause is kept in words only. */
function safeCause(error: unknown, { secrets }: ProviderErrorContext): unknown {
  const texts = chainOf(error).flatMap((one) =>
    isObject(one) ? [one.message, one.stack, one.responseBody, one.text, one.url] : [one],
  );
  const isLeaking = texts.some((text) => typeof text === 'string' && secrets.some((secret) => text.includes(secret)));
  if (!isLeaking) return error;
  const name = error instanceof Error ? error.name : 'Error';
  return new AISDKError({ name, message: strikeOut(textOf(error), secrets) });
}

/** Our own words, from the transport or the readers: only the name of the model is missing. */
function named(error: AgentError, context: ProviderErrorContext): AgentError {
  const { code, cause, remedy, retryable, status, retryAfterMs } = error;
  return new AgentError(code, toMessage(error.message, code, context), {
    class: error.class,
    remedy,
    retryable,
    ...(cause === undefined ? {} : { cause: safeCause(cause, context) }),
    ...(status === undefined ? {} : { status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}
