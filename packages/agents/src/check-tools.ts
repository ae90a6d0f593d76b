// Whether what an agent names in `tools` is set up somewhere, and has the variables it needs.

import { nearest } from '@ai-agent/core';
import type { Configuration } from './config/configuration.ts';
import type { Value } from './options/read-options.ts';
import type { Problems } from './problem.ts';

/** Tools that need no set-up. */
const builtIn = ['batch'];

export function checkTools(said: Value | undefined, configuration: Configuration, problems: Problems): void {
  if (!said) return;
  const known = [
    ...configuration.names('mcpServers'),
    ...configuration.names('restTools').flatMap((name) => [name, `rest__${name}`]),
    ...configuration.names('openapiSpecs').map((name) => `openapi:${name}`),
    ...builtIn,
  ];
  for (const name of said.value as readonly string[]) {
    const isDenial = name.startsWith('!');
    const wanted = isDenial ? name.slice(1) : name;
    const found = known.filter((one) => isMeant(wanted, one));
    for (const one of isDenial ? [] : found) checkVariables(one, { said, configuration, problems });
    if (found.length > 0 || isDenial) continue;
    const close = nearest(wanted, known);
    const meant = close === undefined ? (known.length > 1 ? `known are ${known.join(', ')}` : 'none is') : `did you mean ${close}?`;
    problems.error('tool-not-configured', said.place, `${name} is not in the configuration; ${meant}`);
  }
}

/** `github` and `github__get_issue` mean the server github; so does `git*`. */
function isMeant(wanted: string, known: string): boolean {
  const [server = ''] = wanted.startsWith('rest__') ? [wanted] : wanted.split('__');
  return toPattern(server).test(known) || toPattern(wanted).test(known);
}

function toPattern(glob: string): RegExp {
  const escaped = glob.replace(/[.+^$()|[\]\\{}]/g, '\\$&').replaceAll('*', '.*').replaceAll('?', '.');
  return new RegExp(`^${escaped}$`);
}

interface Context {
  readonly said: Value;
  readonly configuration: Configuration;
  readonly problems: Problems;
}

function checkVariables(known: string, { said, configuration, problems }: Context): void {
  const isSpec = known.startsWith('openapi:');
  const name = known.replace(/^(?:openapi:|rest__)/, '');
  const sections = isSpec ? (['openapiSpecs'] as const) : (['mcpServers', 'restTools'] as const);
  for (const section of sections) {
    const missing = configuration.entry(section, name)?.missing ?? [];
    for (const variable of missing)
      problems.error('secret-missing', said.place, `Missing: ${variable}; define in shell or .ai-agent.env (${known} needs it)`);
  }
}
