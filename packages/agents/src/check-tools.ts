// Whether what an agent names in `tools` is set up somewhere, and has the variables it needs.

import type { Configuration } from './config/configuration.ts';
import { toMissing } from './config/entry.ts';
import type { Value } from './options/read-options.ts';
import { meantBy, type Problems } from './problem.ts';

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
  // What is denied need not be there.
  const wanted = (said.value as readonly string[]).filter((name) => !name.startsWith('!'));
  for (const name of wanted) {
    const found = known.filter((one) => isMeant(name, one));
    for (const one of found) checkVariables(one, { said, configuration, problems });
    if (found.length === 0)
      problems.error('tool-not-configured', said.place, `${name} is not in the configuration; ${hint(name, known)}`);
  }
}

function hint(name: string, known: readonly string[]): string {
  return known.length > builtIn.length ? meantBy(name, known) : 'nothing is set up there';
}

/** `github` and `github__get_issue` mean the server github; so does `git*`. */
function isMeant(wanted: string, known: string): boolean {
  const [server = ''] = wanted.startsWith('rest__') ? [wanted] : wanted.split('__');
  return toPattern(server).test(known) || toPattern(wanted).test(known);
}

function toPattern(glob: string): RegExp {
  const escaped = glob
    .replace(/[.+^$()|[\]\\{}]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
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
      problems.error('secret-missing', said.place, `${toMissing([variable])} (${known} needs it)`);
  }
}
