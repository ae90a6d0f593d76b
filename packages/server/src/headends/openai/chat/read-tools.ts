// The tools that a client of chat completions runs itself, and which of them it wants to be called.

import { isObject } from '@ai-agent/core';
import type { ClientTool } from '../../../talk/talk.ts';
import { customTool } from '../custom-tool.ts';
import { mustCall } from '../must-call.ts';
import type { Fields } from '../read-object.ts';
import { readParameters } from '../read-parameters.ts';
import { missingField, WrongField, wrongType } from '../wrong-field.ts';

export interface ChatTools {
  readonly tools: readonly ClientTool[];
  readonly mustCall: boolean;
  /** Those that take text as it is. */
  readonly customNames: ReadonlySet<string>;
  /** Whether calls are told as they were before there could be several. */
  readonly isOneCall: boolean;
}

/** Kinds that nobody here knows are left out. Throws `request-invalid`. */
export function readTools(body: Fields): ChatTools {
  const isOneCall = isGiven(body.functions) && !isGiven(body.tools);
  const [given, param] = isOneCall ? [body.functions, 'functions'] : [body.tools ?? [], 'tools'];
  if (!Array.isArray(given)) throw wrongType(param, 'a list of tools');
  const all = given.flatMap((tool, index): readonly GivenTool[] => {
    const place = `${param}[${index}]`;
    return isOneCall ? [{ tool: readFunction(tool, place), isCustom: false }] : readTool(tool, place);
  });
  const wanted = isOneCall ? namesWanted(body.function_call, 'function_call') : readChoice(body.tool_choice);
  // Of two with one name the first.
  const byName = new Map(all.toReversed().map((one) => [one.tool.name, one]));
  const missing = wanted?.names.find((name) => !byName.has(name));
  if (wanted && missing !== undefined)
    throw new WrongField(wanted.param, `${wanted.param} names ${missing}, which is not among ${param}.`);
  const names = wanted && new Set(wanted.names);
  const kept = all.filter((one) => byName.get(one.tool.name) === one && (names?.has(one.tool.name) ?? true));
  return {
    tools: kept.map(({ tool }) => tool),
    mustCall: mustCall(isOneCall ? body.function_call : body.tool_choice),
    customNames: new Set(kept.flatMap(({ tool, isCustom }) => (isCustom ? [tool.name] : []))),
    isOneCall,
  };
}

interface GivenTool {
  readonly tool: ClientTool;
  readonly isCustom: boolean;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function readTool(given: unknown, param: string): readonly GivenTool[] {
  if (!isObject(given)) throw wrongType(param, 'a tool');
  const { type, function: declared, custom } = given;
  if (!isGiven(type)) throw missingField(`${param}.type`);
  if (type === 'function') return [{ tool: readFunction(declared, `${param}.function`), isCustom: false }];
  if (type !== 'custom') return [];
  const { name, description, fields } = readDeclared(custom, `${param}.custom`);
  return [{ tool: customTool({ name, description, format: fields.format }), isCustom: true }];
}

function readFunction(given: unknown, param: string): ClientTool {
  const { name, description, fields } = readDeclared(given, param);
  return { name, description, inputSchema: readParameters(fields.parameters, `${param}.parameters`) };
}

interface Declared extends Pick<ClientTool, 'name' | 'description'> {
  readonly fields: Fields;
}

function readDeclared(given: unknown, param: string): Declared {
  if (!isGiven(given)) throw missingField(param);
  if (!isObject(given)) throw wrongType(param, 'an object with a name');
  const { name, description } = given;
  if (!isGiven(name)) throw missingField(`${param}.name`);
  if (typeof name !== 'string' || name === '') throw wrongType(`${param}.name`, 'a name');
  return { name, description: typeof description === 'string' ? description : '', fields: given };
}

/** Those that may be called, when it is not all of them. */
interface Wanted {
  readonly names: readonly string[];
  readonly param: string;
}

function readChoice(choice: unknown): Wanted | undefined {
  const allowed = isObject(choice) && choice.type === 'allowed_tools' ? choice.allowed_tools : undefined;
  if (!isObject(allowed)) return namesWanted(choice, 'tool_choice');
  const param = 'tool_choice.allowed_tools.tools';
  if (!Array.isArray(allowed.tools)) throw wrongType(param, 'a list of tools');
  return { names: allowed.tools.flatMap((one) => namesWanted(one, param)?.names ?? []), param };
}

function namesWanted(choice: unknown, param: string): Wanted | undefined {
  if (choice === 'none') return { names: [], param };
  if (!isObject(choice)) return undefined;
  const named = [choice.function, choice.custom, choice].find((one) => isObject(one) && typeof one.name === 'string');
  return isObject(named) ? { names: [String(named.name)], param } : undefined;
}
