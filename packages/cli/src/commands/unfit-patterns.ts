// Names and globs that an agent or its servers say and that fit no tool: whoever wrote them meant something.

import type { LoadedAgent } from '@ai-agent/agents';
import { isObject, nearest, type OpenedTool, toMatcher } from '@ai-agent/core';
import type { Asked, WatchedTools } from './watched-tools.ts';

export interface Note {
  /** Where it is said: `permissions.ask`, `mcpServers.github.toolsAllowed`. */
  readonly key: string;
  readonly pattern: string;
  readonly message: string;
}

/** `tools` are all that a session of the agent has, offered or not. What depends on somebody who could not be asked is not judged. */
export function findUnfit(
  loaded: LoadedAgent,
  tools: readonly OpenedTool[],
  { asked }: Pick<WatchedTools, 'asked'>,
): readonly Note[] {
  const isWhole = asked.every(({ failure }) => !failure);
  const ofServers = asked.filter(({ failure }) => !failure).flatMap(ofServer);
  return isWhole ? [...ofTools(loaded, asked), ...ofServers, ...ofPermissions(loaded, tools)] : ofServers;
}

/** A pattern may also mean a set-up as a whole. */
function ofTools({ effective, configuration }: LoadedAgent, asked: readonly Asked[]): readonly Note[] {
  const said = effective.said('tools')?.value;
  const patterns = Array.isArray(said) ? said.map(String) : [];
  const whole = [
    ...configuration.names('mcpServers'),
    ...configuration.names('restTools').flatMap((name) => [name, `rest__${name}`]),
    ...configuration.names('openapiSpecs').map((name) => `openapi:${name}`),
    'batch',
  ];
  const names = [...whole, ...asked.flatMap(({ offered }) => offered.flat())];
  return patterns.flatMap((pattern) => unfit({ key: 'tools', pattern, glob: pattern.replace(/^!/, ''), names }));
}

/** What a server is said to allow, and does not have. */
export function ofServer({ section, name, config, offered }: OfServer): readonly Note[] {
  const { toolsAllowed } = isObject(config) ? config : {};
  const said = typeof toolsAllowed === 'string' ? toolsAllowed.split(',') : toolsAllowed;
  const patterns = Array.isArray(said) ? said.map((one) => String(one).trim()).filter((one) => one !== '') : [];
  const prefix = `${name}__`.toLowerCase();
  const names = offered
    .flat()
    .flatMap((tool) => (tool.toLowerCase().startsWith(prefix) ? [tool, tool.slice(prefix.length)] : [tool]));
  const key = `${section}.${name}.toolsAllowed`;
  return patterns
    .filter((pattern) => !/^any$/i.test(pattern) && !pattern.includes('${'))
    .flatMap((pattern) => unfit({ key, pattern, glob: pattern, names }));
}

type OfServer = Pick<Asked, 'section' | 'name' | 'config' | 'offered'>;

/** What an agent asks or denies holds below too: with a team, it may be about their tools. */
function ofPermissions({ agent, children }: LoadedAgent, tools: readonly OpenedTool[]): readonly Note[] {
  const { allow = [], ask = [], deny = [] } = agent.permissions ?? {};
  const names = tools.flatMap(({ name, namespace, label }) => [name, ...(namespace ? [`${namespace}__${label}`] : [])]);
  const judged = children.length > 0 ? { allow } : { allow, ask, deny };
  return Object.entries(judged).flatMap(([list, patterns]) =>
    patterns.flatMap((pattern) => unfit({ key: `permissions.${list}`, pattern, glob: pattern, names })),
  );
}

interface Said extends Pick<Note, 'key' | 'pattern'> {
  readonly glob: string;
  /** What it could fit. */
  readonly names: readonly string[];
}

function unfit({ key, pattern, glob, names }: Said): readonly Note[] {
  if (names.some(toMatcher([glob]))) return [];
  const close = nearest(glob, names);
  const hint = close === undefined ? '' : `; did you mean ${close}?`;
  return [{ key, pattern, message: `${key}: ${JSON.stringify(pattern)} fits no tool${hint}` }];
}
