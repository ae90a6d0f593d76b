// What is said of a key: which agents, how much, how often. A word that is spelt wrong would leave a key unbounded, so all of it is checked.

import { AgentError, type Budget, checkBudget } from '@ai-agent/core';
import type { AllowanceSettings } from './allowances.ts';

export interface KeySettings {
  /** `sha256:` and 64 hexadecimal digits. Keys are random and long: nobody can guess one, so the hash need not be slow. */
  readonly hash: string;
  /** Names of agents as they are called outside, and globs. @default all */
  readonly agents?: readonly string[];
  /** What each run may use. @default what the agent says */
  readonly budget?: Budget;
  /** What all of its runs together may use. @default no bound */
  readonly allowance?: AllowanceSettings;
  /** Runs that it may start or go on with in a minute; as many at once. From 1. @default any number */
  readonly requestsPerMinute?: number;
  /** Runs at once, of each headend; more wait. From 1. @default as many as there are places */
  readonly concurrency?: number;
  /**
   * Makes it publishable: it may stand in pages of these origins, `https://www.example.com`, and is good from there alone, for what
   * their visitors need. Then `agents` and `requestsPerMinute` must be there too. @default it is a secret
   */
  readonly origins?: readonly string[];
}

const known = ['hash', 'agents', 'budget', 'allowance', 'requestsPerMinute', 'concurrency', 'origins'];
const knownOfAllowance = ['tokens', 'costUsd', 'per'];

/** Throws `config-invalid`. What was found is not shown: it may be the key itself. */
export function checkKey(name: string, settings: KeySettings): void {
  const complain = (problem: string) => new AgentError('config-invalid', `The key ${name}: ${problem}.`, { remedy });
  const { hash, agents, budget, allowance, requestsPerMinute, concurrency } = settings;
  // As sessions of the terminal and of programs do, which may be in the same store: a key would read and answer those.
  if (name.startsWith('@')) throw complain('its name must not begin with @');
  checkNames(settings, known, complain);
  if (!isHash(hash)) throw complain('hash must be sha256: and 64 hexadecimal digits');
  if (agents !== undefined && !isNames(agents)) throw complain('agents must be a list of names, at least one');
  checkBudget({ name: `the key ${name}`, remedy }, budget);
  if (allowance !== undefined) checkAllowance(allowance, complain);
  for (const [field, value] of Object.entries({ requestsPerMinute, concurrency }))
    if (value !== undefined && !isFrom(1, value)) throw complain(`${field} must be a whole number from 1`);
  if (settings.origins !== undefined) checkPublishable(settings, complain);
}

const remedy = 'Correct what is said of this key.';

type Complain = (problem: string) => AgentError;

/** Whoever opens the page has the key: what it may do is said, and not left open. */
function checkPublishable({ origins, agents, requestsPerMinute }: KeySettings, complain: Complain): void {
  if (!isNames(origins) || !origins?.every(isOrigin))
    throw complain('origins must be a list of origins such as https://www.example.com, at least one');
  const missing = Object.entries({ agents, requestsPerMinute }).flatMap(([field, value]) =>
    value === undefined ? [field] : [],
  );
  if (missing.length > 0)
    throw complain(`it has origins, so that it may stand in pages, and needs ${missing.join(' and ')} too`);
}

function checkNames(given: object, names: readonly string[], complain: Complain): void {
  const unknown = Object.keys(given).find((field) => !names.includes(field));
  if (unknown !== undefined) throw complain(`${unknown} is not known; known are ${names.join(', ')}`);
}

function checkAllowance(allowance: AllowanceSettings, complain: Complain): void {
  checkNames(allowance, knownOfAllowance, complain);
  const { tokens, costUsd, per } = allowance;
  if (!['hour', 'day', 'month'].includes(per)) throw complain('allowance.per must be hour, day or month');
  if (tokens === undefined && costUsd === undefined) throw complain('allowance must bound tokens, costUsd or both');
  if (tokens !== undefined && !isFrom(1, tokens)) throw complain('allowance.tokens must be a whole number from 1');
  if (costUsd !== undefined && !(Number.isFinite(costUsd) && costUsd > 0))
    throw complain('allowance.costUsd must be a number above 0');
}

function isHash(hash: unknown): boolean {
  return typeof hash === 'string' && /^sha256:[\da-f]{64}$/i.test(hash);
}

function isNames(names: unknown): boolean {
  return Array.isArray(names) && names.length > 0 && names.every((name) => typeof name === 'string');
}

function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text.toLowerCase();
}

function isFrom(least: number, value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= least;
}
