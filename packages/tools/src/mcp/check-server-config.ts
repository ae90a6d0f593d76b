// What is wrong with an entry of mcpServers, whatever its variables are.

import { type AgentError, isAgentError } from '@ai-agent/core';
import type { SetUpProblem } from '../set-up.ts';
import { readServerConfig } from './server-config.ts';

export interface ServerEntry {
  readonly name: string;
  readonly config: Readonly<Record<string, unknown>>;
}

type Settings = Readonly<Record<string, unknown>>;

export function checkServerConfig({ name, config }: ServerEntry): readonly SetUpProblem[] {
  const problems = [...problemsOfWay(name, config), ...problemsOfSharing(name, config)];
  return problems.some(({ severity }) => severity === 'error')
    ? problems
    : [...problems, ...problemsOfValues(name, config)];
}

function problemsOfWay(name: string, config: Settings): readonly SetUpProblem[] {
  const isStarted = has(config, 'command');
  if (isStarted && has(config, 'url'))
    return [problem('error', 'url', `The server ${name} has both command and url: keep the one that reaches it.`)];
  if (!isStarted && !has(config, 'url')) {
    const message = `The server ${name} has neither command nor url: give command to start it, or its url.`;
    return [problem('error', 'command', message)];
  }
  const [kind, strangers] = isStarted
    ? ['a command', ['headers', 'oauth']]
    : ['a url', ['args', 'env', 'environment', 'cwd']];
  return strangers
    .filter((key) => has(config, key))
    .map((key) =>
      problem('warning', key, `The server ${name} has ${key}, which a server with ${kind} does not take: take it out.`),
    );
}

function problemsOfSharing(name: string, config: Settings): readonly SetUpProblem[] {
  if (!isTrue(config.shared)) return [];
  const own = [
    ...(isTrue(config.sampling) ? ['sampling'] : []),
    ...(isTrue(config.elicitation) ? ['elicitation'] : []),
    ...(Array.isArray(config.roots) && config.roots.length > 0 ? ['roots'] : []),
  ];
  return own.map((key) =>
    problem(
      'error',
      'shared',
      `The server ${name} has ${key}, so each session has its own: take shared out, or ${key}.`,
    ),
  );
}

function has(config: Settings, key: string): boolean {
  return config[key] !== undefined && config[key] !== null && config[key] !== '';
}

function problem(severity: 'error' | 'warning', key: string, message: string): SetUpProblem {
  return { severity, code: 'config-invalid', path: [key], message };
}

/** Values that are not a variable have to be usable as they are. */
function problemsOfValues(name: string, config: Settings): readonly SetUpProblem[] {
  const problems: SetUpProblem[] = [];
  const told = new Set<string>();
  const fixed = Object.entries(config).filter(([, value]) => !JSON.stringify(value ?? null).includes('${'));
  const stand = config.command === undefined ? { url: 'http://localhost/' } : { command: 'a' };
  const base = { ...stand, ...Object.fromEntries(fixed.filter(([key]) => ['command', 'url', 'type'].includes(key))) };
  for (const [key, value] of fixed) {
    const wrong = complaintOf(() => readServerConfig(name, { ...base, [key]: value }));
    if (!wrong || told.has(wrong.message)) continue;
    told.add(wrong.message);
    problems.push(toProblem({ name, config }, key, wrong));
  }
  return problems;
}

/** Its words begin with the key that is wrong: told beside its place, that would be said twice. */
function toProblem({ name, config }: ServerEntry, key: string, { message }: AgentError): SetUpProblem {
  const start = `mcpServers.${name}.`;
  const [, own = '', rest = ''] = message.startsWith(start)
    ? (/^(\S+) (.*)$/s.exec(message.slice(start.length)) ?? [])
    : [];
  const path = own.split('.');
  return has(config, path[0] ?? '') ? { ...problem('error', key, rest), path } : problem('error', key, message);
}

function complaintOf(read: () => unknown): AgentError | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (isAgentError(error)) return error;
    throw error;
  }
}

function isTrue(value: unknown): boolean {
  return ['true', '1', 'yes', 'on'].includes(String(value).trim().toLowerCase());
}
