// What an embedder hands in, held against what there is: a slip is told before anybody listens. Keys are checked where they are read.

import { AgentError, isObject, nearest } from '@ai-agent/core';

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
  mcpPrompts: flag,
  showActivity: flag,
  page: flag,
  store: object,
  ports: object,
  onEnd: work,
  onBug: work,
};

const serveRules = { ...apiRules, port: whole(0, 65_535), host: text, isOpen: flag };

/** Throws `config-invalid`. */
export function checkApiOptions(options: object): void {
  check(options, apiRules);
}

/** Throws `config-invalid`. */
export function checkServeOptions(options: object): void {
  check(options, serveRules);
}

/** Undefined is as good as left out. */
function check(given: object, rules: Readonly<Record<string, Rule>>): void {
  const { agents } = given as { readonly agents?: unknown };
  if (agents === undefined) throw wrong(`agents must be ${list.allowed}`);
  if (Array.isArray(agents) && agents.length === 0) throw wrong('agents is empty, so there is nobody to ask');
  for (const [key, value] of Object.entries(given)) {
    const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
    if (!rule) throw unknown(key, nearest(key, Object.keys(rules)));
    if (value !== undefined && !rule.fits(value)) throw wrong(`${key} must be ${rule.allowed}`);
  }
}

function unknown(name: string, meant: string | undefined): AgentError {
  return wrong(`${name} is not known${meant === undefined ? '' : `; did you mean ${meant}?`}`);
}

function wrong(problem: string): AgentError {
  const message = /[.?]$/.test(problem) ? problem : `${problem}.`;
  return new AgentError('config-invalid', `What is to be served: ${message}`, {
    remedy: 'Correct what is handed in; the message names the field.',
  });
}
