// What an agent says of results that are too long: whether they are kept, and how they are read again.

import { checkFields, isWholeFrom, type Owner, wrongField } from './complaint.ts';
import { isObject } from './json.ts';
import type { ModelRef } from './model.ts';

export interface ToolOutputSetting {
  /** Whether they are kept behind a handle, to be read again; else head and tail of them is all there is. @default true */
  readonly enabled?: boolean;
  /** As many parts are read whole without searching first. From 1. @default 1 */
  readonly maxChunks?: number;
  /** How much of a part is in the next one too. From 0 to 50. @default 10 */
  readonly overlapPercent?: number;
  /** Lines that are longer than this on average cannot be searched: the text is read whole. From 1. @default 1000 */
  readonly avgLineBytesThreshold?: number;
  /** What reads, in the order they are tried. @default the models of the agent that calls */
  readonly models?: readonly ModelRef[];
}

/** Throws `agent-invalid`. What the models are is looked at where those of the agent are. */
export function checkToolOutput(owner: Owner, given: unknown): void {
  if (given === undefined) return;
  if (!isObject(given)) throw wrongField(owner, 'toolOutput', given, 'an object');
  checkFields(owner, given, fieldTypes, 'toolOutput.');
  const { maxChunks, avgLineBytesThreshold, overlapPercent } = given as ToolOutputSetting;
  for (const [key, value] of Object.entries({ maxChunks, avgLineBytesThreshold }))
    if (value !== undefined && !isWholeFrom(1, value))
      throw wrongField(owner, `toolOutput.${key}`, value, 'a whole number from 1');
  if (overlapPercent !== undefined && !(overlapPercent >= 0 && overlapPercent <= 50))
    throw wrongField(owner, 'toolOutput.overlapPercent', overlapPercent, 'a number from 0 to 50');
}

const fieldTypes = {
  enabled: 'boolean',
  maxChunks: 'number',
  overlapPercent: 'number',
  avgLineBytesThreshold: 'number',
  models: 'list',
} as const;
