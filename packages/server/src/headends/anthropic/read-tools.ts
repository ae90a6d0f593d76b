// The tools that a client runs itself, as many of them as can be handed on to a model that is not Anthropic's.

import { isObject } from '@ai-agent/core';
import { asWritable } from '../../parse-json.ts';
import type { ClientTool } from '../../talk/talk.ts';
import { toToolSchema } from '../../talk/tool-schema.ts';
import { listAt, objectAt, textAt, wrong } from './field.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Those that may be called. Throws `request-invalid`. */
export function readTools({ tools: given, tool_choice: choice }: Fields): readonly ClientTool[] {
  const entries = listAt(given ?? [], 'tools').map((tool, i) => objectAt(tool, `tools.${i}`));
  const tools = asWritable(entries.flatMap((tool, i) => readTool(tool, `tools.${i}`)));
  const names = new Set<string>();
  for (const { name } of tools) {
    if (names.has(name)) throw wrong('tools', `two of them have the name ${name}.`);
    names.add(name);
  }
  const { type, name } = isObject(choice) ? choice : {};
  if (type === 'none') return [];
  if (type !== 'tool') return tools;
  if (!entries.some((tool) => tool.name === name))
    throw wrong('tool_choice.name', `there is no tool ${String(name)} among the tools.`);
  return tools.filter((tool) => tool.name === name);
}

/** Tools of other types are known to Anthropic's models alone: nobody could be told how to call them. */
function readTool(tool: Fields, at: string): readonly ClientTool[] {
  const { type, description, input_schema: inputSchema } = tool;
  const isCustom = type === undefined || type === null || type === 'custom';
  if (!isCustom && !isObject(inputSchema)) return [];
  const name = textAt(tool.name, `${at}.name`);
  if (name === '') throw wrong(`${at}.name`, 'this must not be empty.');
  const words = typeof description === 'string' ? description : '';
  const schema = toToolSchema(objectAt(inputSchema, `${at}.input_schema`));
  if (!schema) throw wrong(`${at}.input_schema.type`, 'this must be object: arguments are one.');
  return [{ name, description: words, inputSchema: schema }];
}
