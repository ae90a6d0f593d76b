// A request for a message, decoded: who is asked, what was said so far, and how the reply is wanted.

import { isObject, type OutputContract } from '@ai-agent/core';
import { checkClientSchema } from '../../client-schema.ts';
import { parseJson } from '../../parse-json.ts';
import { readBody } from '../../read-body.ts';
import { readExtension } from '../../talk/read-extension.ts';
import type { Talk } from '../../talk/talk.ts';
import type { TalkOptions } from '../../talk/talk-routes.ts';
import { objectAt, textAt, wrong } from './field.ts';
import { readWords } from './read-blocks.ts';
import { readTools } from './read-tools.ts';
import { readTurns } from './read-turns.ts';

/** The fields of a body; which model it is for is known. */
export type MessagesBody = Readonly<Record<string, unknown>> & { readonly model: string };

/** Throws `request-invalid` and `request-too-large`. */
export async function readMessagesBody(request: Request, maxBytes: number): Promise<MessagesBody> {
  const body = parseJson(await readBody(request, maxBytes), 'The body');
  if (!isObject(body)) throw wrong('body', 'this must be an object.');
  const model = textAt(body.model, 'model');
  if (model === '') throw wrong('model', 'this must not be empty: name an agent that is served.');
  return { ...body, model };
}

/** The agent's own limits hold; who speaks this API has to say one all the same. Throws `request-invalid`. */
export function checkMaxTokens({ max_tokens: most }: MessagesBody): void {
  if (most === undefined) throw wrong('max_tokens', 'this field is required.');
  if (!Number.isInteger(most) || Number(most) < 1) throw wrong('max_tokens', 'this must be a whole number, 1 or more.');
}

export interface MessagesRequest {
  readonly talk: Talk;
  readonly isStream: boolean;
  /** Whether the client wants to read what was thought. */
  readonly showsThinking: boolean;
}

/** What it says of sampling, thinking, caches and places is borne: the agent has settings of its own. Throws `request-invalid`. */
export function readMessages(body: MessagesBody, headers: Headers, { showsActivity }: TalkOptions): MessagesRequest {
  const { model, stream, tool_choice: choice, ai_agent: own } = body;
  if (stream !== undefined && stream !== null && typeof stream !== 'boolean')
    throw wrong('stream', 'this must be true or false.');
  const { system, messages } = readTurns(body.messages);
  const words = [...readWords(body.system ?? [], 'system').map(withoutBooks), ...system].filter(Boolean);
  const talk: Talk = {
    agent: model,
    system: words.join('\n\n'),
    messages,
    tools: readTools(body),
    mustCall: isObject(choice) && (choice.type === 'any' || choice.type === 'tool'),
    output: readFormat(body),
    showsActivity,
    ...readExtension(own, headers, wrong),
  };
  const showsThinking = talk.showsActivity === true || wantsThinking(body.thinking);
  return { talk, isStream: stream === true, showsThinking };
}

/** Without a line for Anthropic's books that is other in each request: no model needs it, and no cache would fit again. */
function withoutBooks(text: string): string {
  return text.replace(/^x-anthropic-billing-header:[^\n]*\n*/, '');
}

function readFormat({ output_config: config, output_format: older }: MessagesBody): OutputContract | undefined {
  const [format, at] =
    isObject(config) && config.format ? [config.format, 'output_config.format'] : [older, 'output_format'];
  if (format === undefined || format === null) return undefined;
  const { type, schema } = objectAt(format, at);
  if (type !== 'json_schema') throw wrong(`${at}.type`, 'this must be json_schema.');
  const wanted = objectAt(schema, `${at}.schema`);
  checkClientSchema(wanted);
  return { format: 'json', schema: wanted };
}

/** As the API has it: whoever does not ask for it reads the first block as the answer. */
function wantsThinking(thinking: unknown): boolean {
  return isObject(thinking) && thinking.type !== 'disabled' && thinking.display !== 'omitted';
}
