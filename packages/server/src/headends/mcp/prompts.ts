// The instructions of agents as prompts that a client can use with a model of its own, with what it asks behind them.

import { inputFailure, isObject, type Json, type JsonObject, showInstructions } from '@ai-agent/core';
import {
  type GetPromptRequest,
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import type { Hall } from '../../hall.ts';
import type { Visitor } from '../../visitor.ts';
import { type AgentAsTool, findTool, toolsFor } from './tools.ts';

export function listPrompts(hall: Hall, visitor: Visitor): Prompt[] {
  return toolsFor(hall, visitor).map((tool) => {
    const { name, title, description } = tool.listed;
    return { name, title, description: `The instructions of: ${description}`, arguments: argumentsOf(tool) };
  });
}

/** Instructions alone are good for something too: who takes words need not be given any. */
function argumentsOf({ asked: { schema }, served }: AgentAsTool): NonNullable<Prompt['arguments']> {
  const required = served.agent.input?.format === 'json' && Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(propertiesOf(schema)).map(([name, part]) => ({
    name,
    ...(isObject(part) && typeof part.description === 'string' ? { description: part.description } : {}),
    required: required.includes(name),
  }));
}

function propertiesOf({
  properties,
}: JsonObject | Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return isObject(properties) ? properties : {};
}

/** Throws what is wrong with the request, as the protocol has it. */
export function getPrompt(hall: Hall, visitor: Visitor, params: GetPromptRequest['params']): GetPromptResult {
  const { name, arguments: args = {} } = params;
  const found = findTool(hall, visitor, name);
  if (!('tool' in found)) throw invalid(`Unknown prompt: ${name.slice(0, 100)}.${hintOf(found.meant)}`);
  const { tool } = found;
  const { description } = tool.listed;
  const asked = readAsked(hall, tool, args);
  const said = [instructionsOf(hall, tool), asked].filter((text) => text.trim() !== '');
  return {
    ...(description === undefined ? {} : { description }),
    messages: said.map((text) => ({ role: 'user', content: { type: 'text', text } })),
  };
}

function hintOf(meant: string | undefined): string {
  return meant === undefined ? '' : ` Did you mean ${meant}?`;
}

function instructionsOf(hall: Hall, { served: { agent, session } }: AgentAsTool): string {
  const { output = { format: 'text' } } = agent;
  try {
    return showInstructions(agent, { now: hall.clock.now(), env: session?.envOverlay ?? {}, output });
  } catch (error) {
    hall.onBug(error);
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'The instructions of this agent could not be rendered.');
  }
}

type Said = Readonly<Record<string, string>>;

function readAsked(hall: Hall, tool: AgentAsTool, args: Said): string {
  const { agent, fillPrompt } = tool.served;
  if (agent.input?.format === 'json') return readJson(tool, args);
  const text = args.text ?? args.prompt ?? '';
  return fillPrompt ? fillPrompt(text, hall.clock.now()) : text;
}

/** Arguments of prompts are texts: each is read as the JSON that it may be, or else as it is. */
function readJson({ asked, served: { agent } }: AgentAsTool, args: Said): string {
  const properties = propertiesOf(asked.schema);
  const read = (toValue: (text: string, name: string) => Json) => {
    const values = Object.entries(args).map(([name, text]) => [name, toValue(text, name)]);
    const missing = asked.schema.required as readonly string[] | undefined;
    const lacking = missing?.find((name) => !Object.hasOwn(args, name));
    if (lacking !== undefined) throw invalid(`The argument ${lacking} is missing.`);
    return asked.read(Object.fromEntries(values)).prompt;
  };
  const parsed = read((text, name) => (isText(properties[name]) ? text : parse(text)));
  const failure = inputFailure(agent, parsed);
  if (!failure) return parsed;
  const plain = read((text) => text);
  if (inputFailure(agent, plain)) throw invalid(failure.message);
  return plain;
}

function isText(schema: unknown): boolean {
  return isObject(schema) && schema.type === 'string';
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
