// How a provider is set up: checked before anything costs money, and filled in with a session's own variables.

import { AgentError, type EnvOverlay, isObject } from '@ai-agent/core';

export interface ProviderConfig {
  readonly type: 'openai-compatible';
  /** Where the API is, version included: `https://host/v1`. Values may name variables of the session. */
  readonly baseUrl: string;
  /** The key itself, or `${VARIABLE}` of the session's own variables. @default no authorization */
  readonly apiKey?: string;
  /** Sent with every request; values may name variables too. @default none */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it can be held to a JSON Schema. @default false */
  readonly supportsStructuredOutputs?: boolean;
}

const configKeys = ['type', 'baseUrl', 'apiKey', 'headers', 'supportsStructuredOutputs'];

export function misconfigured(name: string, problem: string): AgentError {
  return new AgentError('model-unknown', `Provider ${name}: ${problem}.`, {
    remedy: 'Correct the configuration of this provider.',
  });
}

/** What is wrong with a configuration whatever the variables are. */
export function checkProvider(name: string, config: unknown): void {
  checkName(name);
  if (!isObject(config)) throw misconfigured(name, 'its configuration is not an object');
  const unknown = unknownKeyIn(config, configKeys);
  if (unknown) throw misconfigured(name, unknown);
  const { type, baseUrl, apiKey, headers = {} } = config;
  if (type !== 'openai-compatible')
    throw misconfigured(name, `its type is ${JSON.stringify(type)}; the only one there is: openai-compatible`);
  if (baseUrl === undefined) throw misconfigured(name, 'it has no baseUrl');
  if (!isObject(headers)) throw misconfigured(name, 'its headers are not an object');
  const texts = { baseUrl, ...(apiKey === undefined ? {} : { apiKey }), ...headers };
  if (typeof baseUrl === 'string' && !baseUrl.includes(opening)) toAddress(name, baseUrl);
  for (const [key, text] of Object.entries(texts)) {
    if (typeof text !== 'string') throw misconfigured(name, `its ${key} is not a text`);
    if (text.replace(variable, '').includes(opening))
      throw misconfigured(
        name,
        `its ${key} names a variable wrongly; it is written ${opening}NAME}, with nothing else`,
      );
  }
}

/** The name stands before the first slash of provider/model. */
function checkName(name: string): void {
  if (name === '' || name.includes('/'))
    throw misconfigured(JSON.stringify(name), 'its name must not be empty, nor have a slash in it');
  if (name === 'offline') throw misconfigured(name, 'this name is taken by offline/demo; choose another');
}

/** Throws when it is none that a request could be sent to. */
export function toAddress(name: string, baseUrl: string): URL {
  const url = URL.parse(baseUrl);
  if (!url || !/^https?:$/.test(url.protocol)) throw misconfigured(name, 'its baseUrl is not an http or https address');
  if (url.username !== '' || url.password !== '')
    throw misconfigured(
      name,
      'its baseUrl has credentials in it, where they do not stay secret; use apiKey or headers',
    );
  return url;
}

/** Says which key nobody knows, and which was probably meant. */
export function unknownKeyIn(given: object, known: readonly string[]): string | undefined {
  const key = Object.keys(given).find((name) => !known.includes(name));
  if (key === undefined) return undefined;
  const nearest = known.map((name) => [distance(key, name), name] as const).sort(([a], [b]) => a - b)[0];
  return `there is no option ${key}; the nearest is ${nearest?.[1]}`;
}

export interface FilledIn {
  readonly settings: Omit<ProviderConfig, 'type'>;
  /** Every value that came from a variable. */
  readonly secrets: readonly string[];
}

/** The configuration with the session's own values in it. */
export function fillIn(config: ProviderConfig, env: EnvOverlay): FilledIn {
  const { baseUrl, apiKey, headers, supportsStructuredOutputs = false } = config;
  const secrets: string[] = [];
  const fill = (text: string) =>
    text.replace(variable, (_, name: string) => {
      const value = readVariable(name, env);
      secrets.push(value);
      return value;
    });
  const settings = {
    baseUrl: fill(baseUrl),
    supportsStructuredOutputs,
    ...(apiKey === undefined ? {} : { apiKey: fill(apiKey) }),
    ...(headers
      ? { headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)])) }
      : {}),
  };
  return { settings, secrets };
}

const opening = '$'.concat('{');
const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

function readVariable(name: string, env: EnvOverlay): string {
  const value = (Object.hasOwn(env, name) ? env[name] : undefined)?.trim() ?? '';
  if (value !== '') return value;
  throw new AgentError('agent-invalid', `Missing: ${name}; give it in envOverlay of the session, or of asTool`, {
    remedy: `Give ${name} in envOverlay: of the session, or of asTool for a sub-agent. Nothing else is read.`,
  });
}

/** How many letters have to be changed, added or left out; case does not count. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...a.toLowerCase()].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b.toLowerCase()].entries())
      next.push(Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)));
    row = next;
  }
  return row.at(-1) ?? 0;
}
