// What a status and an error body mean. Providers agree on the statuses, and nearly on the shape of the body.

import { type ErrorCode, isObject } from '@ai-agent/core';

export interface ErrorBody {
  /** Empty when the provider says nothing. */
  readonly message: string;
  /** The machine-readable words: codes, types and statuses, in lower case. */
  readonly kinds: string;
}

export function codeOfStatus(status: number, body: ErrorBody): ErrorCode {
  if (status === 402 || ((status === 403 || status === 429 || status === 400) && isQuota(body))) return 'model-quota';
  if (status === 401 || status === 403) return 'model-auth';
  if (status === 429) return 'model-rate-limit';
  if (status === 408 || status === 504 || status === 524) return 'model-timeout';
  if (status >= 500) return 'model-unavailable';
  if (status < 400) return 'model-reply-invalid';
  return /content_filter|content_policy|responsible_?ai/.test(body.kinds) ? 'model-refusal' : 'model-request-refused';
}

/** For errors without a status, written into a stream that had begun well. */
export function codeOfBody(body: ErrorBody): ErrorCode {
  const { kinds } = body;
  if (isQuota(body)) return 'model-quota';
  if (/rate_?limit|too_many_requests|resource_exhausted/.test(kinds)) return 'model-rate-limit';
  if (/authenti|permission|invalid_api_key|unauthori|forbidden/.test(kinds)) return 'model-auth';
  if (/timeout|deadline/.test(kinds)) return 'model-timeout';
  if (/content_filter|content_policy/.test(kinds)) return 'model-refusal';
  if (/invalid_request|not_found|unsupported|invalid_argument|context_length/.test(kinds))
    return 'model-request-refused';
  return 'model-unavailable';
}

/** Reads `{ error: { message, type, code } }` and what is near it: `{ message }`, `{ error: "…" }`, `{ detail }`, a list. */
export function readBody(text: string | undefined): ErrorBody {
  const parsed = parse(text);
  const root: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  if (!isObject(root)) return { message: '', kinds: '' };
  const error = isObject(root.error) ? root.error : root;
  const messages = [error.message, root.error, root.message, root.detail];
  const kinds = [error.code, error.type, error.status, root.code, root.type];
  return {
    message:
      (messages.find((message) => typeof message === 'string' && message.trim() !== '') as string | undefined) ?? '',
    kinds: kinds
      .filter((kind) => typeof kind === 'string')
      .join(' ')
      .toLowerCase(),
  };
}

function isQuota({ kinds, message }: ErrorBody): boolean {
  return (
    /insufficient_(quota|balance|credits|funds)|billing|payment_required|credits_exhausted/.test(kinds) ||
    /insufficient (quota|balance|credits?|funds)|credit balance is too low/i.test(message)
  );
}

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
