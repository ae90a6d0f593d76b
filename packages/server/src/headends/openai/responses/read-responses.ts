// The body of a request for a response, decoded: the conversation it goes on with, and what is to become of the response.

import { isObject } from '@ai-agent/core';
import type { ServedAgent } from '../../../served-agent.ts';
import { readExtension } from '../../../talk/read-extension.ts';
import type { Talk } from '../../../talk/talk.ts';
import { mustCall } from '../must-call.ts';
import { readFormat } from '../read-format.ts';
import type { Fields } from '../read-object.ts';
import { missingField, WrongField, wrongExtension, wrongType } from '../wrong-field.ts';
import { Conversation, type Conversed } from './conversation.ts';
import { type Echo, toEcho } from './echo.ts';
import { type Item, readItem, toItems } from './read-items.ts';
import { readTools, type SentTools } from './read-tools.ts';

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

export interface Reading {
  readonly served: ServedAgent;
  readonly earlier: Earlier;
  readonly headers: Headers;
}

/** Throws `request-invalid`, and what `earlier` throws. */
export function readResponses(body: Fields, { served, earlier, headers }: Reading): ResponsesRequest {
  refuse(body);
  const previousId = previousOf(body);
  const sent = toItems(body.input);
  if (sent.length === 0 && previousId === undefined)
    throw missingField('input', 'Send input: text, or a list of items.');
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
      agent: String(body.model),
      system: rules.filter((rule) => rule.trim() !== '').join('\n\n'),
      messages: conversed.messages,
      tools: tools.offered,
      mustCall: mustCall(body.tool_choice),
      output: readFormat({ format: textOf(body).format, param: 'text.format', inside: '' }, served),
      ...readExtension(body.ai_agent, headers, wrongExtension),
    },
    isStream: body.stream === true,
    echo: toEcho(body),
    tools,
    input,
    conversed,
  };
}

/** What of earlier responses a body names. Throws `request-invalid`. */
export function namedIn(body: Fields): {
  readonly responseId?: string | undefined;
  readonly itemIds: readonly string[];
} {
  const ids = toItems(body.input).flatMap((item) => (isReference(item) ? item.id : []));
  return { responseId: previousOf(body), itemIds: ids.filter((id) => typeof id === 'string') };
}

function previousOf({ previous_response_id: id }: Fields): string | undefined {
  return typeof id === 'string' ? id : undefined;
}

function isReference({ type, role }: Item): boolean {
  return type === 'item_reference' || (!isGiven(type) && !isGiven(role));
}

/** What would be another thing than was asked for, if it were passed over. */
function refuse(body: Fields): void {
  const unsupported = { trouble: 'unsupported_value' } as const;
  if (body.background === true)
    throw new WrongField('background', 'background must not be true: a run ends with its request here.', {
      ...unsupported,
      remedy: 'Leave background out, and stream.',
    });
  if (isGiven(body.conversation))
    throw new WrongField('conversation', 'There is no such conversation: none are kept here.', {
      ...unsupported,
      remedy: 'Send previous_response_id, or the whole conversation as input.',
    });
  if (isGiven(body.prompt))
    throw new WrongField('prompt', 'There is no such prompt: none are kept here.', {
      ...unsupported,
      remedy: 'Send instructions and input.',
    });
  for (const field of ['previous_response_id', 'instructions'])
    if (isGiven(body[field]) && typeof body[field] !== 'string') throw wrongType(field, 'text');
  for (const field of ['stream', 'store'])
    if (isGiven(body[field]) && typeof body[field] !== 'boolean') throw wrongType(field, 'true or false');
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** As it is, so that what is wrong with it is told. */
function listOf(tools: unknown): readonly unknown[] {
  if (!isGiven(tools)) return [];
  if (Array.isArray(tools)) return tools;
  throw wrongType('tools', 'a list of tools');
}

/** Some clients bring more of them on the way. */
function toolsIn({ type, tools }: Item): readonly unknown[] {
  return type === 'additional_tools' && Array.isArray(tools) ? tools : [];
}

/** What an item only names, where it is kept; else nothing of it is left, and clients go on all the same. */
function lookUp(item: Item, earlier: Earlier, conversation: Conversation): readonly Item[] {
  if (!isReference(item)) return [item];
  const found = typeof item.id === 'string' ? earlier.item(item.id) : undefined;
  if (!found) conversation.lose();
  return found ? [found] : [];
}

function textOf({ text }: Fields): Fields {
  return isObject(text) ? text : {};
}
