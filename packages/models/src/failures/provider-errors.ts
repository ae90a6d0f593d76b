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
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider';
import { NoConnectionError } from '../http/transport.ts';
import { bounded, chainOf, textOf, toCause } from './causes.ts';
import { addressIn, checkAddress, excerptOf, isBareNotFound, isPage } from './pages.ts';
import { bodyOf, codeOfAnswer, type ErrorBody, parseBody, readBody, remedyFor } from './provider-status.ts';
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
  if (garbled) return fromGarbled(error, garbled, context);
  if (APICallError.isInstance(error)) return { code: 'model-network', text: textOf(error) };
  if (LoadAPIKeyError.isInstance(error)) return { code: 'model-auth', text: textOf(error) };
  if (AISDKError.isInstance(error)) return fromUnasked(error);
  const isDefect = error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
  if (isDefect) return { code: 'internal', text: textOf(error) };
  // An error the provider wrote into its stream arrives as the plain object it sent, or with a status added to it.
  return isObject(error) ? fromStreamError(error, context) : { code: 'model-unavailable', text: textOf(error) };
}

function fromStatus(error: APICallError, status: number, { now, secrets }: ProviderErrorContext): Verdict {
  const body = readBody(error.responseBody);
  const headers = { ...body.headers, ...error.responseHeaders };
  const waitMs = retryAfterMs({ headers, body: error.responseBody, now });
  const said = body.message || excerptOf(error.responseBody, secrets) || error.message;
  return {
    ...codeAndRemedy(body, status),
    text: said || `HTTP ${status}`,
    status,
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
    ...(isNowhere(status, body, error.responseBody) ? nowhere(error, status, said) : {}),
  };
}

function codeAndRemedy(body: ErrorBody, status: number | undefined): Pick<Verdict, 'code' | 'remedy'> {
  const code = codeOfAnswer(body, status);
  const remedy = remedyFor(code, body);
  return { code, ...(remedy === undefined ? {} : { remedy }) };
}

/** Not of a model that is unknown, but of an address at which there is no API. */
function isNowhere(status: number, { message }: ErrorBody, sent: unknown): boolean {
  if (status !== 404 && status !== 405) return false;
  const text = typeof sent === 'string' ? sent.trim() : '';
  return message === '' ? text === '' || isPage(text) || isBareNotFound(text) : isBareNotFound(message);
}

function nowhere({ url }: APICallError, status: number, said: string): Pick<Verdict, 'text' | 'remedy'> {
  const words = said === '' ? '' : `: ${said}`;
  return { text: `${addressIn(url) || 'The address'} answered with HTTP ${status}${words}`, remedy: checkAddress };
}

/** Parts that cannot be sent, prompts and arguments that are none: the package refused before it asked anybody. */
function fromUnasked(error: Error): Verdict {
  const remedy = UnsupportedFunctionalityError.isInstance(error)
    ? 'This provider takes no such part, and was not asked: leave it out, or use a model that takes it.'
    : 'The provider was not asked: correct what the message names.';
  return { code: 'model-request-refused', text: textOf(error), remedy };
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
  // Some wrap it once more.
  const sent = isObject(error.error) ? error : { error };
  const body = bodyOf(sent);
  const waitMs = retryAfterMs({ body: inJson(sent), now });
  const { status } = body;
  return {
    ...codeAndRemedy(body, status),
    text: body.message || (error instanceof Error ? textOf(error) : inJson(error)),
    ...(status === undefined ? {} : { status }),
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
  };
}

/** Empty if the value cannot be written as JSON, such as an object that contains itself. */
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

/**
 * True if nothing was used: no connection, no key, a request that the package itself refused, or an answer with HTTP 3xx or 4xx.
 * Does not apply to an error after a stream of parts has begun.
 */
export function usedNothing(error: unknown): boolean {
  // A body that is an object was sent with status 200.
  if (APICallError.isInstance(error) && error.statusCode !== undefined)
    return isRejection(error.statusCode) && !isObject(error.responseBody);
  const chain = chainOf(error);
  // Our transport knows if there was a connection. Codes do not: EHOSTUNREACH may come before and after the request.
  const own = chain.find(isAgentError);
  if (own) return own instanceof NoConnectionError || isRejection(own.status);
  if (chain.some((one) => isNetworkError(one) && noConnection.test(String((one as { code?: unknown }).code))))
    return true;
  return LoadAPIKeyError.isInstance(error) || UnsupportedFunctionalityError.isInstance(error);
}

function isRejection(status: number | undefined): boolean {
  return status !== undefined && status >= 300 && status < 500;
}

/** The body of a failed answer, or the error that the provider wrote into its reply. */
export function errorBodyOf(error: unknown): unknown {
  for (const one of chainOf(error)) {
    if (APICallError.isInstance(one))
      return isObject(one.responseBody) ? one.responseBody : parseBody(one.responseBody);
    if (InvalidResponseDataError.isInstance(one)) return one.data;
    if (!(one instanceof Error)) return one;
  }
  return undefined;
}

/** For models with a fetch of their own. */
const noConnection =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_|ERR_TLS|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED)/;

function isGarbled(error: unknown): error is Error {
  return (
    JSONParseError.isInstance(error) ||
    TypeValidationError.isInstance(error) ||
    InvalidResponseDataError.isInstance(error) ||
    EmptyResponseBodyError.isInstance(error) ||
    NoContentGeneratedError.isInstance(error)
  );
}

function fromGarbled(error: unknown, garbled: Error, { secrets }: ProviderErrorContext): Verdict {
  const code = 'model-reply-invalid';
  const sent: unknown = APICallError.isInstance(error) ? error.responseBody : textIn(garbled);
  const words = excerptOf(sent, secrets);
  if (!isPage(sent)) return { code, text: words === '' ? textOf(garbled) : `not a reply we can read: ${words}` };
  const address = APICallError.isInstance(error) ? addressIn(error.url) : '';
  const text = `${address || 'The provider'} answered with a page, not with a reply: ${words}`;
  return { code, text, remedy: checkAddress };
}

function textIn(error: Error): string | undefined {
  return JSONParseError.isInstance(error) ? error.text : undefined;
}
