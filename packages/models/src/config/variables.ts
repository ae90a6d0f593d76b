// `${NAME}` in a configuration: how it is written, and the value that a session's own variables give it.

import { AgentError, type EnvOverlay } from '@ai-agent/core';

const opening = '$'.concat('{');
const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** How a variable is written, for those who wrote it otherwise. */
export const variableForm = `${opening}NAME}`;

export function hasVariable(text: string): boolean {
  return text.includes(opening);
}

export function hasWrongVariable(text: string): boolean {
  return hasVariable(text.replace(variable, ''));
}

export function variablesIn(text: string): readonly string[] {
  return [...text.matchAll(variable)].flatMap(([, name]) => name ?? []);
}

/** The text with its variables filled in; `onValue` is told each value. Throws `secret-missing`. */
export function fillText(text: string, env: EnvOverlay, onValue: (value: string, name: string) => void): string {
  return text.replace(variable, (_, name: string) => {
    const value = readVariable(name, env);
    onValue(value, name);
    return value;
  });
}

function readVariable(name: string, env: EnvOverlay): string {
  const value = (Object.hasOwn(env, name) ? env[name] : undefined)?.trim() ?? '';
  if (value !== '') return value;
  throw new AgentError('secret-missing', `Missing: ${name}; give it in envOverlay of the session, or of asTool`, {
    remedy: `Give ${name} in envOverlay: of the session, or of asTool for a sub-agent. Nothing else is read.`,
  });
}
