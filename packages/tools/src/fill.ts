// `${NAME}` in a set-up: filled in with the variables of one session, and nothing else.

import { AgentError, type EnvOverlay } from '@ai-agent/core';

const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/**
 * The same value with every text filled in, each variable written as `write` says; other braces, as in `${parameters.x}`, stay.
 * Throws `secret-missing`.
 */
export function fill<T>(value: T, env: EnvOverlay, write = (text: string) => text): T {
  const fillAny = (any: unknown): unknown => {
    if (typeof any === 'string') return any.replace(variable, (_, name: string) => write(read(name, env)));
    if (Array.isArray(any)) return any.map(fillAny);
    if (typeof any !== 'object' || any === null) return any;
    return Object.fromEntries(Object.entries(any).map(([key, part]) => [key, fillAny(part)]));
  };
  return fillAny(value) as T;
}

function read(name: string, env: EnvOverlay): string {
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  if (value !== undefined && value !== '') return value;
  throw new AgentError('secret-missing', `Missing: ${name}; give it in envOverlay of the session, or of asTool`, {
    remedy: `Give ${name} in envOverlay: of the session, or of asTool for a sub-agent. Nothing else is read.`,
  });
}
