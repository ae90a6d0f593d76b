// What an embedder hands in, held against what there is: a slip is told before anybody listens, and never opens a door.

import { AgentError, checkBudget, isObject, messageOf, nearest } from '@ai-agent/core';

interface Rule {
  /** Goes on after "must be". */
  readonly allowed: string;
  fits(value: unknown): boolean;
}

const whole = (least: number, most = Number.MAX_SAFE_INTEGER): Rule => ({
  allowed:
    most === Number.MAX_SAFE_INTEGER ? `a whole number from ${least}` : `a whole number from ${least} to ${most}`,
  fits: (value) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
});
const amount: Rule = {
  allowed: 'a number above 0',
  fits: (value) => typeof value === 'number' && Number.isFinite(value) && value > 0,
};
const texts: Rule = {
  allowed: 'a list of texts',
  fits: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
};
const text: Rule = { allowed: 'text', fits: (value) => typeof value === 'string' && value !== '' };
const flag: Rule = { allowed: 'true or false', fits: (value) => typeof value === 'boolean' };
const object: Rule = { allowed: 'an object', fits: isObject };
const work: Rule = { allowed: 'a function', fits: (value) => typeof value === 'function' };
const list: Rule = {
  allowed: 'a list of agents, or a function that gives one',
  fits: (value) => Array.isArray(value) || typeof value === 'function',
};

const apiRules: Readonly<Record<string, Rule>> = {
  agents: list,
  keys: object,
  cors: texts,
  hosts: texts,
  concurrency: whole(1),
  waiting: whole(0),
  maxBodyBytes: whole(1),
  store: object,
  ports: object,
  onEnd: work,
  onBug: work,
};

const serveRules = { ...apiRules, port: whole(0, 65_535), host: text, isOpen: flag };

const keyRules: Readonly<Record<string, Rule>> = {
  hash: text,
  agents: texts,
  budget: object,
  allowance: object,
  requestsPerMinute: whole(1),
  concurrency: whole(1),
};

const allowanceRules: Readonly<Record<string, Rule>> = {
  tokens: amount,
  costUsd: amount,
  per: { allowed: 'hour, day or month', fits: (value) => ['hour', 'day', 'month'].includes(value as string) },
};

/** Throws `config-invalid`. */
export function checkApiOptions(options: object): void {
  check(options, apiRules);
  checkKeysOf(options);
}

/** Throws `config-invalid`. */
export function checkServeOptions(options: object): void {
  check(options, serveRules);
  checkKeysOf(options);
}

function checkKeysOf({ keys = {} }: { readonly keys?: object }): void {
  for (const [name, entry] of Object.entries(keys)) {
    const path = `keys.${name}`;
    if (!isObject(entry)) throw wrong(`${path} must be an object`);
    check(entry, keyRules, `${path}.`);
    try {
      checkBudget({ name: path }, entry.budget);
    } catch (error) {
      throw wrong(messageOf(error));
    }
    const { allowance } = entry;
    if (!isObject(allowance)) continue;
    check(allowance, allowanceRules, `${path}.allowance.`);
    if (allowance.per === undefined) throw wrong(`${path}.allowance.per is missing: hour, day or month`);
    if (allowance.tokens === undefined && allowance.costUsd === undefined)
      throw wrong(`${path}.allowance must have tokens or costUsd`);
  }
}

/** Undefined is as good as left out. */
function check(given: object, rules: Readonly<Record<string, Rule>>, path = ''): void {
  for (const [key, value] of Object.entries(given)) {
    const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
    if (!rule) throw unknown(`${path}${key}`, nearest(key, Object.keys(rules)));
    if (value !== undefined && !rule.fits(value)) throw wrong(`${path}${key} must be ${rule.allowed}`);
  }
}

function unknown(name: string, meant: string | undefined): AgentError {
  return wrong(`${name} is not known${meant === undefined ? '' : `; did you mean ${meant}?`}`);
}

/** What was found is not shown: it may be a key. */
function wrong(problem: string): AgentError {
  const message = /[.?]$/.test(problem) ? problem : `${problem}.`;
  return new AgentError('config-invalid', `What is to be served: ${message}`, {
    remedy: 'Correct what is handed in; the message names the field.',
  });
}
