// An app with agents, its OpenAPI document, and what a reader of such documents says of it.

import { type Agent, isObject } from '@ai-agent/core';
import { fakePorts, scriptedModel } from '@ai-agent/core/testing';
import { validate } from '@scalar/openapi-parser';
import { createApp, type DoorOptions, Hall, rest, type ServedAgent } from '../../src/index.ts';

export type Node = Readonly<Record<string, unknown>>;

/** Answers `Yes.`, however often it is asked. */
export function served(name: string, more: Partial<Agent> & Pick<ServedAgent, 'usage'> = {}): ServedAgent {
  const { usage, ...agent } = more;
  const model = scriptedModel(Array.from({ length: 20 }, () => 'Yes.'));
  return { name, agent: { name: 'one', instructions: 'Say yes.', model, ...agent }, ...(usage ? { usage } : {}) };
}

export function appOf(agents: readonly ServedAgent[] | (() => readonly ServedAgent[]), door: DoorOptions = {}) {
  const list = typeof agents === 'function' ? agents : () => agents;
  return createApp(new Hall({ agents: list, ports: fakePorts() }), [rest()], door);
}

export async function documentOf(agents: readonly ServedAgent[]): Promise<Node> {
  const response = await appOf(agents).request('/openapi.json');
  return (await response.json()) as Node;
}

/** What is wrong with it, and references that lead nowhere in it. */
export async function complaintsOf(document: Node): Promise<readonly string[]> {
  const { errors = [] } = await validate(structuredClone(document) as Record<string, unknown>);
  const dangling = referencesIn(document).filter((reference) => at(document, reference) === undefined);
  return [...errors.map(({ message }) => message), ...dangling];
}

/** The value at `#/components/schemas/x`, or at keys one after the other. */
export function at(document: Node, ...way: readonly string[]): unknown {
  const [first = ''] = way;
  const keys = first.startsWith('#/') ? first.slice(2).split('/') : way;
  return keys.reduce<unknown>(
    (here, key) => (isObject(here) && Object.hasOwn(here, key) ? here[key] : undefined),
    document,
  );
}

/** Only where a reference may stand: what is data may look like one. */
export function referencesIn(node: unknown, key = ''): readonly string[] {
  if (Array.isArray(node)) return node.flatMap((part) => referencesIn(part));
  if (!isObject(node)) return [];
  const own = typeof node.$ref === 'string' && key !== 'properties' ? [node.$ref] : [];
  const data = ['enum', 'const', 'default', 'examples', 'example'];
  const parts = Object.entries(node).filter(([name]) => key === 'properties' || !data.includes(name));
  return [...own, ...parts.flatMap(([name, part]) => referencesIn(part, key === 'properties' ? '' : name))];
}
