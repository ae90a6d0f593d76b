// Tools that a client runs itself, as the API has them: offered to a model under one name each, called back as they were sent.

import { isObject } from '@ai-agent/core';
import type { ClientTool } from '../../../talk/talk.ts';
import { customTool } from '../custom-tool.ts';
import type { Fields } from '../read-object.ts';
import { readParameters } from '../read-parameters.ts';
import { WrongField, wrongType } from '../wrong-field.ts';

/** A tool as its client knows it. */
export interface SentTool {
  readonly type: 'function' | 'custom';
  readonly name: string;
  readonly namespace?: string | undefined;
}

export interface SentTools {
  readonly offered: readonly ClientTool[];
  /** Whose a call is, by the name that was offered. */
  sent(offeredName: string): SentTool;
  /** Under which name it is offered, also when it is not any more. */
  offeredName(name: string, namespace: unknown): string;
}

/** Kinds that only OpenAI can run are left out. Throws `request-invalid`. */
export function readTools(tools: unknown, choice: unknown): SentTools {
  const all = nameEach(findTools(tools));
  const byName = new Map(all.map((one) => [one.offered.name, one.sent]));
  const names = new Map(all.map(({ offered, sent }) => [keyOf(sent), offered.name]));
  return {
    offered: choose(all, choice).map(({ offered }) => offered),
    sent: (name) => byName.get(name) ?? { type: 'function', name },
    offeredName: (name, namespace) => {
      if (typeof namespace !== 'string' || namespace === '') return name;
      return names.get(keyOf({ name, namespace })) ?? `${namespace}__${name}`;
    },
  };
}

interface Found {
  readonly sent: SentTool;
  readonly tool: ClientTool;
}

interface Named {
  readonly sent: SentTool;
  readonly offered: ClientTool;
}

function findTools(tools: unknown): readonly Found[] {
  if (tools === undefined || tools === null) return [];
  if (!Array.isArray(tools)) throw wrongType('tools', 'a list of tools');
  return tools.flatMap((tool: unknown, at) => findTool(tool, `tools[${at}]`));
}

function findTool(tool: unknown, param: string): readonly Found[] {
  if (!isObject(tool)) throw wrongType(param, 'an object with a type');
  if (tool.type !== 'namespace') return readTool(tool, param);
  const { name: namespace, tools } = tool;
  if (typeof namespace !== 'string' || !Array.isArray(tools)) return [];
  return tools.flatMap((one: unknown, at) => (isObject(one) ? readTool(one, `${param}.tools[${at}]`, namespace) : []));
}

function readTool(tool: Fields, param: string, namespace?: string): readonly Found[] {
  const { type } = tool;
  if (type !== 'function' && type !== 'custom') return [];
  // Some clients still write it as chat completions have it.
  const { name, description: said, parameters, format } = isObject(tool[type]) ? tool[type] : tool;
  if (typeof name !== 'string' || name === '') throw wrongType(`${param}.name`, 'the name of the tool');
  const description = typeof said === 'string' ? said : '';
  const found =
    type === 'custom'
      ? customTool({ name, description, format })
      : { name, description, inputSchema: readParameters(parameters, `${param}.parameters`) };
  return [{ sent: { type, name, ...(namespace === undefined ? {} : { namespace }) }, tool: found }];
}

/** Its own name where that says which one is meant. Of two with the same name the first is offered. */
function nameEach(found: readonly Found[]): readonly Named[] {
  const times = new Map<string, number>();
  for (const { sent } of found) times.set(sent.name, (times.get(sent.name) ?? 0) + 1);
  const taken = new Set<string>();
  return found.flatMap(({ sent, tool }) => {
    const { name, namespace } = sent;
    const offeredName = namespace === undefined || times.get(name) === 1 ? name : `${namespace}__${name}`;
    if (taken.has(offeredName)) return [];
    taken.add(offeredName);
    return [{ sent, offered: { ...tool, name: offeredName } }];
  });
}

/** Throws `request-invalid` where the choice names none of them. */
function choose(all: readonly Named[], choice: unknown): readonly Named[] {
  if (choice === 'none') return [];
  if (!isObject(choice)) return all;
  if (choice.type === 'allowed_tools') {
    const allowed = Array.isArray(choice.tools) ? choice.tools.filter(isObject) : [];
    return choice.mode === 'none' ? [] : among(all, allowed);
  }
  if (choice.type !== 'function' && choice.type !== 'custom') return all;
  const chosen = among(all, [choice]);
  if (chosen.length > 0) return chosen;
  throw new WrongField('tool_choice', `tool_choice names ${String(choice.name)}, which is not among tools.`);
}

/** Those that are named: with their namespace, without it, or as they are offered. */
function among(all: readonly Named[], wanted: readonly Fields[]): readonly Named[] {
  const names = new Set(
    wanted.map(({ name, namespace }) => {
      const key = { name: String(name), ...(typeof namespace === 'string' ? { namespace } : {}) };
      return keyOf(key);
    }),
  );
  return all.filter(({ sent, offered }) =>
    [keyOf(sent), keyOf({ name: sent.name }), keyOf({ name: offered.name })].some((key) => names.has(key)),
  );
}

function keyOf({ name, namespace = '' }: Pick<SentTool, 'name' | 'namespace'>): string {
  return `${namespace}\n${name}`;
}
