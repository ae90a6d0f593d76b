// Our request in the words of the AI SDK's language-model interface.

import {
  isObject,
  type Message,
  type ModelRequest,
  type ModelSettings,
  type ToolSpec,
  toSafeName,
} from '@ai-agent/core';
import type {
  JSONSchema7,
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import { filesAfter, type PlaceOfFile, toOutput, whereUsual } from './result-files.ts';
import { toFilePart } from './to-file-part.ts';
import { withResults } from './with-results.ts';

type AssistantPart = Extract<Message, { role: 'assistant' }>['content'][number];
type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];

/** `provider` is the one that will read it: what others have bound to themselves stays at home. */
export function toCallOptions(
  request: ModelRequest,
  provider: string,
  placeOf: PlaceOfFile = whereUsual,
): LanguageModelV4CallOptions {
  const { tools, output, settings } = request;
  return {
    prompt: toPrompt(request, provider, placeOf),
    ...toSettings(settings),
    ...(tools.length === 0 ? {} : { tools: tools.map(toFunctionTool) }),
    ...(output.format === 'json' ? { responseFormat: toResponseFormat(output.schema) } : {}),
  };
}

export function toPrompt(
  { system, messages }: Pick<ModelRequest, 'system' | 'messages'>,
  provider: string,
  placeOf: PlaceOfFile = whereUsual,
): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Prompt = system === '' ? [] : [{ role: 'system', content: system.toWellFormed() }];
  for (const message of withResults(messages)) {
    const converted = toMessage(message, provider, placeOf);
    // Nothing but another provider's reasoning: nothing was said.
    if (converted.content.length > 0) prompt.push(converted);
    const shown = message.role === 'tool' ? filesAfter(message.content, placeOf) : undefined;
    if (shown) prompt.push(shown);
  }
  return prompt;
}

function toMessage(message: Message, provider: string, placeOf: PlaceOfFile): LanguageModelV4Message {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.text.toWellFormed() };
    case 'user':
      return {
        role: 'user',
        content: message.content.map((part) =>
          part.type === 'text' ? { type: 'text', text: part.text.toWellFormed() } : toFilePart(part),
        ),
      };
    case 'assistant':
      return { role: 'assistant', content: message.content.flatMap((part) => toAssistantPart(part, provider)) };
    case 'tool':
      return {
        role: 'tool',
        content: message.content.map((part) => ({
          type: 'tool-result',
          toolCallId: part.id,
          toolName: toName(part.name),
          output: toOutput(part, placeOf),
        })),
      };
  }
}

function toAssistantPart(part: AssistantPart, provider: string): AssistantContent {
  const own = part.bound?.[provider];
  const bound = isObject(own) && Object.keys(own).length > 0 ? { providerOptions: own as SharedV4ProviderOptions } : {};
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: part.text.toWellFormed(), ...bound }];
    case 'reasoning':
      // Reasoning belongs to whoever reasoned: to another provider it is at best noise, at worst an error.
      return part.bound && own === undefined ? [] : [{ type: 'reasoning', text: part.text, ...bound }];
    case 'tool-call': {
      const input = parseInput(part.input);
      return [{ type: 'tool-call', toolCallId: part.id, toolName: toName(part.name), input, ...bound }];
    }
  }
}

/** The call was damaged when the model wrote it, and its result says so: the provider only needs it well-formed. */
function parseInput(text: string): unknown {
  try {
    const input = JSON.parse(text, /\\ud/i.test(text) ? (_, value) => wellFormed(value) : undefined);
    return isObject(input) ? input : {};
  } catch {
    return {};
  }
}

/** Half of a letter, which a cut leaves behind, makes a whole request unreadable. */
function wellFormed(value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}

/** Of the name that a model made up, too: it is in the conversation from then on, and no provider takes every name. */
function toName(name: string): string {
  return /^[\w-]{1,64}$/.test(name) ? name : toSafeName(name);
}

export function toFunctionTool({ name, description, inputSchema }: ToolSpec) {
  const schema = (
    inputSchema.type === undefined ? { type: 'object', properties: {}, ...inputSchema } : inputSchema
  ) as JSONSchema7;
  return { type: 'function' as const, name, description, inputSchema: schema };
}

function toResponseFormat(schema: ModelRequest['output']['schema']) {
  return { type: 'json' as const, ...(schema ? { schema: schema as JSONSchema7 } : {}) };
}

function toSettings({ stopSequences, repeatPenalty, maxOutputTokens, temperature, topP, topK, seed }: ModelSettings) {
  return {
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(topK === undefined ? {} : { topK }),
    ...(repeatPenalty === undefined ? {} : { frequencyPenalty: toFrequencyPenalty(repeatPenalty) }),
    ...(seed === undefined ? {} : { seed }),
    ...(stopSequences === undefined || stopSequences.length === 0 ? {} : { stopSequences: [...stopSequences] }),
  };
}

/** Where 1 changes nothing there, 0 does here; 2 is the most. */
function toFrequencyPenalty(repeatPenalty: number): number {
  return Number(Math.min(2, repeatPenalty - 1).toFixed(6));
}

/** And back, for servers that count as we do. */
export function toRepeatPenalty(frequencyPenalty: number): number {
  return Number((frequencyPenalty + 1).toFixed(6));
}
