// What an agent names in `tools`, found in its configuration. What is not there, or cannot be used, is said.

import { nearest, toMatcher } from '@ai-agent/core';
import { builtInTools } from './built-in-tools.ts';
import { tell, toolFindingsIn } from './check-set-ups.ts';
import type { Configuration } from './config/configuration.ts';
import { type Entry, placeIn, toMissing } from './config/entry.ts';
import { isTrue } from './options/kinds.ts';
import type { Value } from './options/read-options.ts';
import { meantBy, type Problems } from './problem.ts';
import { type ToolSection, type ToolSets, toolSections } from './world.ts';

/** A set-up that the agent names, and which of its tools. */
export interface FoundTools {
  readonly section: ToolSection;
  readonly entry: Entry;
  readonly isWanted: (names: readonly string[]) => boolean;
  readonly named: readonly string[];
}

export interface Finding {
  /** The name of the agent. */
  readonly agent: string;
  readonly configuration: Configuration;
  readonly toolSets: ToolSets;
  readonly problems: Problems;
}

export function findTools(said: Value, finding: Finding): readonly FoundTools[] {
  const patterns = said.value as readonly string[];
  const wanted = patterns.filter((name) => !name.startsWith('!'));
  // What is denied need not be there.
  const denied = patterns.filter((name) => name.startsWith('!')).map((name) => name.slice(1));
  const known = setUpsIn(finding.configuration);
  for (const name of wanted) tellUnknown(name, known, said, finding);
  return known.flatMap((setUp) => {
    const meant = wanted.filter((name) => isMeant(name, setUp));
    if (meant.length === 0 || toMatches(denied)(setUp.spoken)) return [];
    const entry = usable({ ...setUp, called: setUp.spoken.find(toMatcher(meant)) ?? setUp.name }, said, finding);
    return entry ? [{ section: setUp.section, entry, ...toWanted(meant, denied, setUp) }] : [];
  });
}

/** Something that is set up, and how `tools` may call it. */
interface Known {
  readonly section: ToolSection;
  readonly name: string;
  readonly spoken: readonly string[];
}

function setUpsIn(configuration: Configuration): readonly Known[] {
  const named = (section: ToolSection, toSpoken: (name: string) => readonly string[]) =>
    configuration.names(section).map((name) => ({ section, name, spoken: toSpoken(name) }));
  return [
    ...named('mcpServers', (name) => [name]),
    ...named('restTools', (name) => [name, `rest__${name}`]),
    ...named('openapiSpecs', (name) => [`openapi:${name}`]),
  ];
}

function tellUnknown(name: string, known: readonly Known[], said: Value, { configuration, problems }: Finding): void {
  if (builtInTools.includes(name) || known.some((setUp) => isMeant(name, setUp))) return;
  if (toolSections.some((section) => configuration.isEntryBroken(section, name))) return;
  const builtIn = nearest(name, builtInTools);
  const unset = builtIn === undefined ? 'nothing is set up there' : `did you mean ${builtIn}?`;
  const hint = known.length > 0 ? hintFor(name, known) : unset;
  problems.error('tool-not-configured', said.place, `${name} is not in the configuration; ${hint}`);
}

/** A document is called by its prefix, and a tool by its server: either part may be what is wrong. */
function hintFor(name: string, known: readonly Known[]): string {
  const document = known.find((setUp) => setUp.section === 'openapiSpecs' && setUp.name === name);
  if (document) return `did you mean ${document.spoken[0]}?`;
  const [, head = '', tool = ''] = /^(.+?)(__.+)$/.exec(name) ?? [];
  const servers = known.filter(({ section }) => section === 'mcpServers').map((setUp) => setUp.name);
  const server = head === '' ? undefined : nearest(head, servers);
  if (server !== undefined) return `did you mean ${server}${tool}?`;
  return meantBy(name, [...known.flatMap((setUp) => setUp.spoken), ...builtInTools]);
}

/** `github` and `github__get_issue` mean the server github; so does `git*`. */
function isMeant(pattern: string, { section, name, spoken }: Known): boolean {
  if (toMatches([pattern])(spoken)) return true;
  if (section === 'mcpServers') return headsOf(pattern, '__').some((head) => toMatcher([head])(name));
  if (section === 'restTools' || !pattern.startsWith('rest__')) return false;
  const operation = pattern.slice('rest__'.length);
  return toMatcher([operation])(`${name}_`) || headsOf(operation, '_').some((head) => toMatcher([head])(name));
}

/** Everything that stands before one of these marks. */
function headsOf(text: string, mark: string): readonly string[] {
  return text.split(mark).flatMap((_, i, parts) => (i === 0 ? [] : [parts.slice(0, i).join(mark)]));
}

function toMatches(patterns: readonly string[]): (names: readonly string[]) => boolean {
  const matches = toMatcher(patterns);
  return (names) => names.some(matches);
}

/** A pattern that means the whole of it means every tool of it. */
function toWanted(
  meant: readonly string[],
  denied: readonly string[],
  { spoken }: Known,
): Pick<FoundTools, 'isWanted' | 'named'> {
  const isWhole = toMatches(meant)(spoken);
  const isMeantBy = toMatches(meant);
  const isDenied = toMatches(denied);
  return {
    isWanted: (names) => (isWhole || isMeantBy(names)) && !isDenied(names),
    named: meant.filter((name) => !/[*?]/.test(name) && !toMatches([name])(spoken) && !isDenied([name])),
  };
}

/** A variable by its value, where it has one. */
function filled(value: unknown, { variables }: Entry): unknown {
  return typeof value === 'string' ? value.replace(/\$\{(\w+)\}/g, (whole, name) => variables[name] ?? whole) : value;
}

/** Undefined for what is switched off, or wrong. */
function usable(
  { section, name, called }: Known & { readonly called: string },
  said: Value,
  finding: Finding,
): Entry | undefined {
  const { configuration, problems } = finding;
  const entry = configuration.entry(section, name);
  if (!entry) return undefined;
  if (isTrue.parse(filled(entry.value.enabled, entry)) === false) {
    const message = `${name} is switched off (enabled: false): the agent goes without its tools`;
    const remedy = 'Set enabled to true, or take it out of tools.';
    problems.add('warning', { code: 'tool-not-configured', place: said.place, message, remedy });
    return undefined;
  }
  for (const variable of configuration.lacksVariables ? [] : entry.missing) {
    const message = `${toMissing([variable])} (${called} needs it)`;
    problems.add('error', {
      code: 'secret-missing',
      place: said.place,
      message,
      missing: { variable, agent: finding.agent, envFile: entry.envFile },
    });
  }
  const findings = toolFindingsIn(entry, finding.toolSets);
  tell(findings, problems);
  const queue = String(entry.value.queue ?? 'default');
  if (queue !== 'default' && !configuration.queues().has(queue)) {
    const names = [...configuration.queues().keys(), 'default'];
    problems.error('config-invalid', placeIn(entry, ['queue']), `there is no queue ${queue}; ${meantBy(queue, names)}`);
  }
  return findings.some(({ severity }) => severity === 'error') || entry.missing.length > 0 ? undefined : entry;
}
