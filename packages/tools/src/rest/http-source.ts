// What sources of HTTP tools have in common: a set-up with the variables of a session in it, its secrets, its way out.

import { AgentError, type SourceContext } from '@ai-agent/core';
import { fill } from '../fill.ts';
import type { Queues } from '../queues.ts';
import type { SetUpProblem, ToolSetUp } from '../set-up.ts';
import type { Surroundings } from '../surroundings.ts';
import { fillVariables } from './rest-url.ts';
import { formsOf, secretsOf, struck } from './secrets.ts';

export interface HttpSourceOptions {
  readonly surroundings: Surroundings;
  readonly queues: Queues;
}

export interface FilledSetUp {
  /** As in `restTools.weather`. */
  readonly owner: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly secrets: readonly string[];
}

type Check = (entry: Pick<ToolSetUp, 'name' | 'config'>) => readonly SetUpProblem[];

/** Tells the session what is secret in it, and checks it again with its variables. Throws `config-invalid`, `secret-missing`. */
export function fillSetUp(setUp: ToolSetUp, context: SourceContext, check: Check): FilledSetUp {
  const owner = `${setUp.section}.${setUp.name}`;
  const { url } = setUp.config;
  const filled = fill(setUp.config, context.env);
  const config = typeof url === 'string' ? { ...filled, url: fillVariables(url, context.env) } : filled;
  const secrets = secretsOf(setUp.config, config, context.env);
  for (const form of new Set(secrets.flatMap(formsOf))) context.hide(form);
  const wrong = check({ name: setUp.name, config }).find(({ severity }) => severity === 'error');
  if (wrong) throw new AgentError('config-invalid', `${owner}: ${struck(wrong.message, secrets)}`);
  return { owner, config, secrets };
}

/** What every request of a source says and tells. */
export function manners({ clock, version, onTraffic }: Surroundings) {
  return { clock, userAgent: `ai-agent/${version}`, ...(onTraffic === undefined ? {} : { onTraffic }) };
}

/** What a method promises, whatever the server makes of it. */
export function promisesOf(method: string): { readonly readOnly: boolean; readonly idempotent: boolean } {
  const readOnly = ['GET', 'HEAD', 'OPTIONS'].includes(method);
  return { readOnly, idempotent: readOnly || method === 'PUT' || method === 'DELETE' };
}
