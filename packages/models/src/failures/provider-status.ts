// What a status and an error body mean. Providers agree on the statuses, and nearly on the shape of the body.

import { type ErrorCode, isObject } from '@ai-agent/core';
import { isBadKey, isQuota, isRateLimit, isRefusal, isTooLarge, isUsedUp } from './signs.ts';

export interface ErrorBody {
  /** Empty when the provider says nothing. */
  readonly message: string;
  /** The machine-readable words: codes, types and statuses, in lower case. */
  readonly kinds: string;
  /** A status that is written into the body, as by gateways that answer 200 to everything. */
  readonly status: number | undefined;
  /** The code of an ai-agent server for a request that leads back to an agent above, or too deep. */
  readonly ownCode?: NestingCode | undefined;
  /** Headers of an answer that a gateway got and tells of, by their names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

type NestingCode = 'agent-cycle' | 'depth-limit';

/** The status of the answer counts where it names a failure; where it does not, what the body says. */
export function codeOfAnswer(body: ErrorBody, status: number | undefined): ErrorCode {
  if (body.ownCode) return body.ownCode;
  const said = status !== undefined && status >= 300 ? status : body.status;
  return said === undefined ? codeOfBody(body) : codeOfStatus(said, body);
}

function codeOfStatus(status: number, body: ErrorBody): ErrorCode {
  if (status < 400) return 'model-reply-invalid';
  if (status === 402 || isQuota(body)) return 'model-quota';
  if (status < 500) return codeOfRefusal(status, body);
  return late.has(status) ? 'model-timeout' : 'model-unavailable';
}

function codeOfRefusal(status: number, body: ErrorBody): ErrorCode {
  if (isRefusal(body)) return 'model-refusal';
  if (status === 401 || status === 403 || (status === 400 && isBadKey(body))) return 'model-auth';
  if (status === 413 || isTooLarge(body)) return 'model-request-refused';
  if (status === 429 || isRateLimit(body)) return 'model-rate-limit';
  if (late.has(status)) return 'model-timeout';
  return passing.has(status) ? 'model-unavailable' : 'model-request-refused';
}

/** Where more is known than the code says; undefined where it is not. */
export function remedyFor(code: ErrorCode, body: ErrorBody): string | undefined {
  if (code === 'model-request-refused' && isTooLarge(body))
    return 'Ask for less at once, lower maxOutputTokens, or use a model or a plan that takes more.';
  if (code === 'model-quota' && isUsedUp(body))
    return 'Wait until the quota is renewed, use another model, or change the plan at this provider.';
  return undefined;
}

const late = new Set([408, 504, 524]);

/** Conflict, too early, out of capacity, and called off on their side: the same request may do later. */
const passing = new Set([409, 425, 498, 499]);

/** For errors without a status, written into a stream that had begun well. */
function codeOfBody(body: ErrorBody): ErrorCode {
  const { kinds } = body;
  if (isQuota(body)) return 'model-quota';
  if (isTooLarge(body)) return 'model-request-refused';
  if (isRateLimit(body)) return 'model-rate-limit';
  if (/authenti|permission|unauthori|forbidden/.test(kinds) || isBadKey(body)) return 'model-auth';
  if (/timeout|deadline/.test(kinds)) return 'model-timeout';
  if (isRefusal(body)) return 'model-refusal';
  if (/invalid_request|request_too_large|not_found|unsupported|invalid_argument|context_length/.test(kinds))
    return 'model-request-refused';
  return 'model-unavailable';
}

/** Reads `{ error: { message, type, code } }` and what is near it: `{ message }`, `{ error: "…" }`, `{ detail }`, a list. */
export function readBody(text: unknown): ErrorBody {
  return bodyOf(parseBody(text));
}

/** The same of what was parsed already. */
export function bodyOf(parsed: unknown): ErrorBody {
  const root: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  if (!isObject(root)) return { message: '', kinds: '', status: undefined };
  const error = isObject(root.error) ? root.error : root;
  const metadata = isObject(error.metadata) ? error.metadata : {};
  const messages = [upstreamMessage(error.message, metadata), error.message, root.error, root.message, root.detail];
  const kinds = [error.code, error.type, error.status, root.code, root.type, ...detailsIn(error), ...flagsIn(metadata)];
  const ownCode = nestingCodeIn(error);
  const found = messages.find((text): text is string => typeof text === 'string' && text.trim() !== '') ?? '';
  return {
    message: ownCode ? withoutRemedy(found, error.ai_agent) : found,
    kinds: kinds
      .filter((kind) => typeof kind === 'string')
      .join(' ')
      .toLowerCase(),
    status: [error.statusCode, error.status, error.code].map(Number).find((status) => status >= 400 && status < 600),
    ownCode,
    ...(isObject(metadata.headers) ? { headers: lowerCased(metadata.headers) } : {}),
  };
}

/** Reads codes of a tree that must not be asked again. Every other code is classified as for any provider. */
function nestingCodeIn({ code, ai_agent: extension }: Record<string, unknown>): NestingCode | undefined {
  const codes = [isObject(extension) ? extension.code : undefined, code];
  return codes.find((one) => one === 'agent-cycle' || one === 'depth-limit');
}

/** The remedy comes with the code. */
function withoutRemedy(message: string, extension: unknown): string {
  const remedy = isObject(extension) && typeof extension.remedy === 'string' ? ` ${extension.remedy}` : '';
  return remedy !== '' && message.endsWith(remedy) ? message.slice(0, -remedy.length) : message;
}

/** Google's reasons, such as `API_KEY_INVALID`, and the ids of the quotas that are used up. */
function detailsIn({ details }: Record<string, unknown>): readonly unknown[] {
  return (Array.isArray(details) ? details : []).flatMap((detail) => {
    if (!isObject(detail)) return [];
    const violations = Array.isArray(detail.violations) ? detail.violations.filter(isObject) : [];
    return [detail.reason, ...violations.map(({ quotaId }) => quotaId)];
  });
}

/** OpenRouter says beside its message what it found in the request. */
function flagsIn({ reasons, flagged_input: input }: Record<string, unknown>): readonly unknown[] {
  return input !== undefined || (Array.isArray(reasons) && reasons.length > 0) ? ['flagged_input'] : [];
}

/** A gateway that says no more than that its provider failed has that provider's own words beside it. */
function upstreamMessage(message: unknown, { raw, provider_name: name }: Record<string, unknown>): string | undefined {
  if (typeof message !== 'string' || !/^provider returned error\.?$/i.test(message.trim())) return undefined;
  const text = isObject(raw) ? JSON.stringify(raw) : raw;
  if (typeof text !== 'string' || text.trim() === '') return undefined;
  const words = readBody(text).message || text.trim();
  return typeof name === 'string' && name !== '' ? `${name}: ${words}` : words;
}

function lowerCased(headers: Record<string, unknown>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
}

/** Undefined if the text is not JSON. */
export function parseBody(text: unknown): unknown {
  try {
    return JSON.parse(typeof text === 'string' ? text : '');
  } catch {
    return undefined;
  }
}
