// A conversation in the words of Ollama's own API.

import {
  type LanguageModelV4FilePart,
  type LanguageModelV4Message,
  type LanguageModelV4Prompt,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider';
import { convertToBase64 } from '@ai-sdk/provider-utils';

type Message = Readonly<Record<string, unknown>>;
type PartsOf<Role extends LanguageModelV4Message['role']> = Extract<LanguageModelV4Message, { role: Role }>['content'];

/** `interleaved` is how earlier thoughts go back: under their own name, another one, or not at all. */
export function toMessages(prompt: LanguageModelV4Prompt, interleaved: boolean | string = true): readonly Message[] {
  const thoughtField = interleaved === true ? 'thinking' : interleaved;
  return prompt.flatMap((message) => toMessage(message, thoughtField));
}

function toMessage(message: LanguageModelV4Message, thoughtField: string | false): readonly Message[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }];
    case 'user':
      return [toUserMessage(message.content)];
    case 'assistant':
      return toAssistantMessage(message.content, thoughtField);
    case 'tool':
      return toResults(message.content);
  }
}

function toUserMessage(parts: PartsOf<'user'>): Message {
  const images = parts.filter((part) => part.type === 'file').map(toImage);
  const texts = parts.flatMap((part) => (part.type === 'text' ? part.text : []));
  return { role: 'user', content: texts.join('\n'), ...(images.length === 0 ? {} : { images }) };
}

function toImage({ mediaType, data }: LanguageModelV4FilePart): string {
  if (!/^image(\/|$)/.test(mediaType)) throw unsupported(`files of type ${mediaType}: only images`);
  if (data.type !== 'data') throw unsupported('images at an address: only images in base64');
  return convertToBase64(data.data);
}

function unsupported(what: string): UnsupportedFunctionalityError {
  return new UnsupportedFunctionalityError({
    functionality: what,
    message: `Ollama takes no ${what}.`,
  });
}

function toAssistantMessage(parts: PartsOf<'assistant'>, thoughtField: string | false): readonly Message[] {
  const text = parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('');
  const thought = parts.flatMap((part) => (part.type === 'reasoning' ? part.text : [])).join('');
  const calls = parts.flatMap((part) =>
    part.type === 'tool-call'
      ? { id: part.toolCallId, function: { name: part.toolName, arguments: part.input ?? {} } }
      : [],
  );
  const isThoughtSent = thoughtField !== false && thought !== '';
  if (text === '' && calls.length === 0 && !isThoughtSent) return [];
  return [
    {
      role: 'assistant',
      content: text,
      ...(isThoughtSent ? { [thoughtField]: thought } : {}),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    },
  ];
}

function toResults(parts: PartsOf<'tool'>): readonly Message[] {
  return parts.flatMap((part) => {
    if (part.type !== 'tool-result') return [];
    const { toolName, toolCallId, output } = part;
    const value = 'value' in output ? output.value : (output.reason ?? '');
    const content = typeof value === 'string' ? value : JSON.stringify(value);
    return [{ role: 'tool', content, tool_name: toolName, tool_call_id: toolCallId }];
  });
}
