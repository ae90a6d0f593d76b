// What is wrong with the set-ups of providers, in the words of whoever knows providers and the lines of whoever wrote them.

import type { Configuration } from './config/configuration.ts';
import { type Entry, placeIn } from './config/entry.ts';
import type { Finding, Problems } from './problem.ts';
import type { Providers } from './world.ts';

/** Of every provider, also of those that no agent names. Variables are looked at only when one is used. */
export function checkSetUps(configuration: Configuration, providers: Providers, problems: Problems): void {
  for (const name of configuration.names('providers')) {
    const entry = configuration.entry('providers', name);
    if (entry) for (const finding of findingsIn(entry, providers)) problems.add(finding.severity, finding);
  }
}

export function findingsIn(
  entry: Entry,
  providers: Providers,
): readonly (Finding & { readonly severity: 'error' | 'warning' })[] {
  return providers.check(entry.name, entry.value).map(({ severity, code, path, message }) => ({
    severity,
    code: code === 'key-invalid' ? 'config-invalid' : code,
    message,
    place: placeIn(entry, path),
  }));
}
