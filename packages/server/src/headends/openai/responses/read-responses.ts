// The body of a request for a response, decoded: the conversation it goes on with, and what is to become of the response.

import { AgentError, isObject, type JsonSchema, type OutputContract } from '@ai-agent/core';
import { checkClientSchema } from '../../../client-schema.ts';
import { asWritable, parseJson } from '../../../parse-json.ts';
import type { Talk } from '../../../talk/talk.ts';
import { Conversation, type Conversed } from './conversation.ts';
import { type Echo, toEcho } from './echo.ts';
import { type Item, readItem, toItems } from './read-items.ts';
import { readTools, type SentTools } from './read-tools.ts';

export type Body = Readonly<Record<string, unknown>> & { readonly model: string };

export interface ResponsesRequest {
  readonly talk: Talk;
  readonly isStream: boolean;
  readonly echo: Echo;
  readonly tools: SentTools;
  /** Those of this request, with what they named in their place. */
  readonly input: readonly Item[];
  /** All that was said up to now; without the instructions, which hold for one response. */
  readonly conversed: Conversed;
}

/** What is kept of earlier responses, for whoever asks. */
export interface Earlier {
  /** Throws where there is none of this id. */
  conversed(responseId: string): Conversed;
  item(id: string): Item | undefined;
}

/** So much of it that the agent is known. Throws `request-invalid`. */
export function readModel(text: string): Body {
  const body = parseJson(text, 'The body');
  if (!isObject(body)) throw new AgentError('request-invalid', 'The body must be a JSON object.');
  if (typeof body.model !== 'string' || body.model === '')
    throw new AgentError('request-invalid', 'model is missing: it is the name of an agent.', {
      remedy: 'Send model; GET /v1/models lists what it may be.',
    });
  return asWritable(body as Body);
}

/** Throws `request-invalid`, and what `earlier` throws. */
export function readResponses(body: Body, earlier: Earlier): ResponsesRequest {
  refuse(body);
  const previousId = typeof body.previous_response_id === 'string' ? body.previous_response_id : undefined;
  const sent = toItems(body.input);
  if (sent.length === 0 && previousId === undefined)
    throw new AgentError('request-invalid', 'input is missing or empty: it is what you ask.', {
      remedy: 'Send input: a text, or a list of items.',
    });
  const tools = readTools([...listOf(body.tools), ...sent.flatMap(toolsIn)], body.tool_choice);
  const conversation = new Conversation(previousId === undefined ? undefined : earlier.conversed(previousId));
  const input = sent.flatMap((item) => lookUp(item, earlier, conversation));
  input.forEach((item, at) => {
    readItem(item, `input[${at}]`, { conversation, tools });
  });
  const conversed = conversation.finish();
  const { instructions } = body;
  const rules = [...(typeof instructions === 'string' ? [instructions] : []), ...conversed.system];
  return {
    talk: {
      agent: body.model,
      system: rules.filter((rule) => rule.trim() !== '').join('\n\n'),
      messages: conversed.messages,
      tools: tools.offered,
      output: readFormat(body.text),
      showsActivity: readActivity(body.ai_agent),
    },
    isStream: body.stream === true,
    echo: toEcho(body),
    tools,
    input,
    conversed,
  };
}

/** What would be another thing than was asked for, if it were passed over. */
function refuse(body: Body): void {
  if (body.background === true)
    throw new AgentError('request-invalid', 'background must not be true: a run ends with its request here.', {
      remedy: 'Leave background out, and stream.',
    });
  if (isGiven(body.conversation))
    throw new AgentError('request-invalid', 'There is no such conversation: none are kept here.', {
      remedy: 'Send previous_response_id, or the whole conversation as input.',
    });
  if (isGiven(body.prompt))
    throw new AgentError('request-invalid', 'There is no such prompt: none are kept here.', {
      remedy: 'Send instructions and input.',
    });
  for (const field of ['previous_response_id', 'instructions'])
    if (isGiven(body[field]) && typeof body[field] !== 'string')
      throw new AgentError('request-invalid', `${field} must be a text.`);
  for (const field of ['stream', 'store'])
    if (isGiven(body[field]) && typeof body[field] !== 'boolean')
      throw new AgentError('request-invalid', `${field} must be true or false.`);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** As it is, so that what is wrong with it is told. */
function listOf(tools: unknown): readonly unknown[] {
  if (!isGiven(tools)) return [];
  if (Array.isArray(tools)) return tools;
  throw new AgentError('request-invalid', 'tools must be a list.');
}

/** Some clients bring more of them on the way. */
function toolsIn({ type, tools }: Item): readonly unknown[] {
  return type === 'additional_tools' && Array.isArray(tools) ? tools : [];
}

/** What an item only names, where it is kept; else nothing of it is left, and clients go on all the same. */
function lookUp(item: Item, earlier: Earlier, conversation: Conversation): readonly Item[] {
  const isReference = item.type === 'item_reference' || (item.type === undefined && item.role === undefined);
  if (!isReference) return [item];
  const found = typeof item.id === 'string' ? earlier.item(item.id) : undefined;
  if (!found) conversation.lose();
  return found ? [found] : [];
}

/** Throws `request-invalid`. */
function readFormat(text: unknown): OutputContract | undefined {
  const { format } = isObject(text) ? text : {};
  const { type, schema } = isObject(format) ? format : {};
  if (type === 'json_object') return { format: 'json', schema: { type: 'object' } };
  if (type !== 'json_schema') return undefined;
  if (!isObject(schema)) throw new AgentError('request-invalid', 'text.format.schema must be a JSON Schema.');
  checkClientSchema(schema as JsonSchema);
  return { format: 'json', schema };
}

function readActivity(ours: unknown): boolean | undefined {
  const { activity } = isObject(ours) ? ours : {};
  return typeof activity === 'boolean' ? activity : undefined;
}
