// What is wrong with the set-ups of providers and tools, in the words of whoever knows them and the lines of whoever wrote them.

import type { Configuration } from './config/configuration.ts';
import { type Entry, type EntrySection, placeIn } from './config/entry.ts';
import type { Finding, Place, Problems } from './problem.ts';
import { type Providers, type SetUpProblem, type ToolSets, toolSections, type World } from './world.ts';

type Found = Finding & { readonly severity: 'error' | 'warning' };

/** Of every set-up, also of those that no agent names. Variables are looked at only when one is used. */
export async function checkSetUps(
  configuration: Configuration,
  { providers, toolSets }: Pick<World, 'providers' | 'toolSets'>,
  problems: Problems,
): Promise<void> {
  const entriesOf = (section: EntrySection) =>
    configuration.names(section).flatMap((name) => configuration.entry(section, name) ?? []);
  const tools = toolSections.flatMap(entriesOf);
  const known = tools.length > 0 ? await toolSets() : undefined;
  const findings = [
    ...entriesOf('providers').flatMap((entry) => findingsIn(entry, providers)),
    ...tools.flatMap((entry) => (known ? toolFindingsIn(entry, known) : [])),
  ];
  tell(findings, problems);
}

/** What the shape of the file was found to lack is not told twice, in two ways. */
export function tell(findings: readonly Found[], problems: Problems): void {
  const placeOf = ({ file, key }: Place) => `${file} ${key}`;
  const told = new Set(problems.all.filter(({ severity }) => severity === 'error').map(placeOf));
  for (const finding of findings) if (!told.has(placeOf(finding.place))) problems.add(finding.severity, finding);
}

export function findingsIn(entry: Entry, providers: Providers): readonly Found[] {
  return providers.check(entry.name, entry.value).map((problem) => toFound(problem, entry));
}

export function toolFindingsIn(entry: Entry, toolSets: ToolSets): readonly Found[] {
  const { section, name, value: config } = entry;
  if (section === 'providers') return [];
  return toolSets.check({ section, name, config }).map((problem) => toFound(problem, entry));
}

function toFound({ severity, code, path, message }: SetUpProblem, entry: Entry): Found {
  return {
    severity,
    code: code === 'key-invalid' ? 'config-invalid' : code,
    message,
    place: placeIn(entry, path),
  };
}
