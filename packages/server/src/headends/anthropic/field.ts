// Fields of a request that are not as they must be, named by their path: `messages.0.content.1.text`.

import { AgentError, isObject } from '@ai-agent/core';

/** What is wrong at a place of the body. */
export function wrong(at: string, what: string): AgentError {
  return new AgentError('request-invalid', `${at}: ${what}`);
}

/** Throws `request-invalid`. */
export function textAt(value: unknown, at: string): string {
  if (typeof value === 'string') return value;
  throw wrong(at, value === undefined ? 'this field is required.' : 'this must be a text.');
}

/** Throws `request-invalid`. */
export function objectAt(value: unknown, at: string): Record<string, unknown> {
  if (isObject(value)) return value;
  throw wrong(at, value === undefined ? 'this field is required.' : 'this must be an object.');
}

/** Throws `request-invalid`. */
export function listAt(value: unknown, at: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw wrong(at, value === undefined ? 'this field is required.' : 'this must be a list.');
}
