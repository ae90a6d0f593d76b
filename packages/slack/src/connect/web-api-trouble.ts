// What is in the way of a call of Slack's Web API, read from what Bolt's client throws.

import { finalWordOf } from './slack-api.ts';

/** In Slack's own word; undefined when it said none that stays. */
export function wordOf(error: unknown): string | undefined {
  const { code, data, statusCode } = error as { code?: unknown; data?: { error?: unknown }; statusCode?: unknown };
  if (code === 'slack_webapi_http_error') return isFinal(Number(statusCode)) ? `status ${statusCode}` : undefined;
  return code === 'slack_webapi_platform_error' ? finalWordOf(data?.error) : undefined;
}

/** What is wrong with a request stays wrong with it. */
function isFinal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

/** In seconds. */
export function retryAfterOf(error: unknown): number | undefined {
  const { code, retryAfter } = (error ?? {}) as { code?: unknown; retryAfter?: unknown };
  return code === 'slack_webapi_rate_limited_error' ? Number(retryAfter) : undefined;
}

/** Slack says which of them is missing. */
export function scopeOf(error: unknown): string | undefined {
  const { data } = error as { data?: { needed?: unknown } };
  return typeof data?.needed === 'string' ? data.needed : undefined;
}
