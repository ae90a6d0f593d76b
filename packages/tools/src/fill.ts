// `${NAME}` in a set-up: filled in with the variables of one session, and nothing else.

import { AgentError, type EnvOverlay } from '@ai-agent/core';

const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** The same value with every text filled in; other braces, as in `${parameters.x}`, stay. Throws `secret-missing`. */
export function fill<T>(value: T, env: EnvOverlay): T {
  return fillAny(value, env) as T;
}

function fillAny(value: unknown, env: EnvOverlay): unknown {
  if (typeof value === 'string') return value.replace(variable, (_, name: string) => read(name, env));
  if (Array.isArray(value)) return value.map((item) => fillAny(item, env));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, fillAny(part, env)]));
}

function read(name: string, env: EnvOverlay): string {
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  if (value !== undefined && value !== '') return value;
  throw new AgentError('secret-missing', `Missing: ${name}; give it in envOverlay of the session, or of asTool`, {
    remedy: `Give ${name} in envOverlay: of the session, or of asTool for a sub-agent. Nothing else is read.`,
  });
}
