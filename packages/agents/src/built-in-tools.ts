// The tools of sessions themselves that an agent has by what its file says.

import type { Agent } from '@ai-agent/core';
import type { Effective } from './options/effective.ts';

/** Those that `tools` may name, and nobody sets up. */
export const builtInTools: readonly string[] = ['batch'];

export function builtInFields(effective: Effective): Pick<Agent, 'batch' | 'progress'> {
  const said = effective.said('tools')?.value;
  const named = Array.isArray(said) ? said : [];
  const hasBatch = named.includes('batch') && !named.includes('!batch') && !isTaken('no-batch', effective);
  return { ...(hasBatch ? { batch: true } : {}), ...(isTaken('no-progress', effective) ? { progress: false } : {}) };
}

function isTaken(key: string, effective: Effective): boolean {
  return effective.said(key)?.value === true;
}
