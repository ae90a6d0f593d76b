// A request to chat completions, decoded: the talk, and what its reply is to be like.

import { isObject } from '@ai-agent/core';
import type { ServedAgent } from '../../../served-agent.ts';
import { readExtension } from '../../../talk/read-extension.ts';
import type { Talk } from '../../../talk/talk.ts';
import { readFormat } from '../read-format.ts';
import { type Fields, readModel } from '../read-object.ts';
import { WrongField, wrongExtension, wrongType } from '../wrong-field.ts';
import { readMessages } from './read-messages.ts';
import { type ChatTools, readTools } from './read-tools.ts';

export interface ChatRequest {
  readonly talk: Talk;
  readonly isStream: boolean;
  readonly echo: Echo;
}

/** What of the request its reply is made of. */
export interface Echo extends Omit<ChatTools, 'tools' | 'mustCall'> {
  /** As it was asked for. */
  readonly model: string;
  /** Whether a stream ends with what was used. */
  readonly includesUsage: boolean;
}

/** How models answer is the agent's own affair: temperature and the like are borne. Throws `request-invalid`. */
export function readChat(body: Fields, served: ServedAgent, headers: Headers): ChatRequest {
  const { messages, n, stream_options: streaming, response_format: format, ai_agent: ours } = body;
  const model = readModel(body);
  if (n !== undefined && n !== null && n !== 1)
    throw new WrongField('n', 'n must be 1: an agent gives one answer.', { trouble: 'unsupported_value' });
  const { tools, mustCall, ...told } = readTools(body);
  const output = readFormat({ format, param: 'response_format', inside: 'json_schema' }, served);
  const extension = readExtension(ours, headers, wrongExtension);
  return {
    talk: { agent: model, ...readMessages(messages), tools, mustCall, ...(output ? { output } : {}), ...extension },
    isStream: readSwitch(body.stream, 'stream'),
    echo: {
      ...told,
      model,
      includesUsage: isObject(streaming) && readSwitch(streaming.include_usage, 'stream_options.include_usage'),
    },
  };
}

function readSwitch(value: unknown, param: string): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value !== 'boolean') throw wrongType(param, 'true or false');
  return value;
}
