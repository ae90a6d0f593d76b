// What the limits of an agent and the settings of its models may be.

import { complaint, isWholeFrom, type Owner, wrongField } from './complaint.ts';
import { defaultLimits, type Limits, leastLimits } from './defaults.ts';
import { type ModelSettings, type ReasoningLevel, reasoningLevels } from './model.ts';

export function checkLimit(owner: Owner, key: string, value: unknown): void {
  if (!Object.hasOwn(defaultLimits, key))
    throw complaint(owner, `limits.${key} is not known; known are ${Object.keys(defaultLimits).join(', ')}`);
  const least = leastLimits[key as keyof Limits];
  if (!isWholeFrom(least, value)) throw wrongField(owner, `limits.${key}`, value, `a whole number from ${least}`);
}

type SettingRule = readonly [allowed: string, isRight: (value: unknown) => boolean];

const settingRules: Readonly<Record<keyof ModelSettings, SettingRule>> = {
  maxOutputTokens: ['a whole number from 1', (value) => isWholeFrom(1, value)],
  temperature: ['a number from 0', (value) => isBetween(0, value, Number.MAX_VALUE)],
  topP: ['a number from 0 to 1', (value) => isBetween(0, value, 1)],
  topK: ['a whole number from 1', (value) => isWholeFrom(1, value)],
  repeatPenalty: ['a number from 0', (value) => isBetween(0, value, Number.MAX_VALUE)],
  seed: ['a whole number', Number.isInteger],
  stopSequences: ['a list of texts', (value) => Array.isArray(value) && value.every((one) => typeof one === 'string')],
  reasoning: [`one of ${reasoningLevels.join(', ')}`, (value) => reasoningLevels.includes(value as ReasoningLevel)],
  reasoningTokens: ['a whole number from 0', (value) => isWholeFrom(0, value)],
  caching: ['full or none', (value) => value === 'full' || value === 'none'],
  stream: ['true or false', (value) => typeof value === 'boolean'],
};

function isBetween(least: number, value: unknown, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most;
}

/** Null takes a default away. */
export function checkSetting(owner: Owner, key: string, value: unknown): void {
  if (!Object.hasOwn(settingRules, key))
    throw complaint(owner, `settings.${key} is not known; known are ${Object.keys(settingRules).join(', ')}`);
  const [allowed, isRight] = settingRules[key as keyof ModelSettings];
  if (value !== undefined && value !== null && !isRight(value))
    throw wrongField(owner, `settings.${key}`, value, `${allowed}, or null`);
}
