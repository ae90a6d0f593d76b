// A name that nobody knows, with the one that was meant.

import { AgentError, nearest } from '@ai-agent/core';

export function unknownField(name: string, known: readonly string[]): AgentError {
  const meant = nearest(name, known);
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  const shown = name.length > 100 ? `${name.slice(0, 100)}…` : name;
  return new AgentError('request-invalid', `${shown} is not known here; known are ${known.join(', ')}.${hint}`);
}
