// One call as the body of a request to Ollama's own API.

import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { toRepeatPenalty } from '../../to-prompt.ts';
import { type Fields, fieldsIn, merged } from '../chat/chat-dialect.ts';
import { toMessages } from './ollama-messages.ts';

export interface OllamaTraits {
  /** How many tokens the server makes room for. Left out, as the server has it. */
  readonly contextWindow?: number | undefined;
  readonly interleaved?: boolean | string | undefined;
  /** What the configuration adds; it has the last word. */
  readonly added: Fields;
}

export function toBody(
  modelId: string,
  call: LanguageModelV4CallOptions,
  { contextWindow, interleaved, added }: OllamaTraits,
): Fields {
  const { responseFormat } = call;
  const tools = toTools(call);
  const options = toOptions(call, contextWindow);
  const body = {
    model: modelId,
    messages: toMessages(call.prompt, interleaved),
    ...(tools.length === 0 ? {} : { tools }),
    // Held to a form, a model never calls a tool.
    ...(responseFormat?.type === 'json' && tools.length === 0 ? { format: responseFormat.schema ?? 'json' } : {}),
    ...(Object.keys(options).length === 0 ? {} : { options }),
    ...fieldsIn(call),
  };
  return merged(body, added);
}

function toTools({ tools = [], toolChoice }: LanguageModelV4CallOptions) {
  if (toolChoice?.type === 'none') return [];
  return tools.flatMap((tool) => {
    if (tool.type !== 'function') return [];
    const { name, description, inputSchema: parameters } = tool;
    return [{ type: 'function', function: { name, description, parameters } }];
  });
}

function toOptions(call: LanguageModelV4CallOptions, contextWindow: number | undefined): Fields {
  const all = {
    temperature: call.temperature,
    top_p: call.topP,
    top_k: call.topK,
    repeat_penalty: call.frequencyPenalty === undefined ? undefined : toRepeatPenalty(call.frequencyPenalty),
    seed: call.seed,
    stop: call.stopSequences,
    num_predict: call.maxOutputTokens,
    num_ctx: contextWindow,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
