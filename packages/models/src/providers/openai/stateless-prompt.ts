// A conversation as OpenAI can read it when it remembers nothing of it.

import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';

type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];

/** Reasoning without what it led to is refused; so it goes with whatever follows it, or not at all. */
export function withWholeTurns(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  return withContent(prompt, (content) => {
    const said = content.filter(isSaid);
    const last = said.findLastIndex(({ type }) => type !== 'reasoning');
    return said.slice(0, last + 1);
  });
}

/** Chat completions have no place for it. */
export function withoutReasoning(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  return withContent(prompt, (content) => content.filter((part) => part.type !== 'reasoning' && isSaid(part)));
}

function isSaid(part: AssistantContent[number]): boolean {
  return part.type !== 'text' || part.text !== '';
}

function withContent(
  prompt: LanguageModelV4Prompt,
  keep: (content: AssistantContent) => AssistantContent,
): LanguageModelV4Prompt {
  return prompt.flatMap((message): LanguageModelV4Prompt => {
    if (message.role !== 'assistant') return [message];
    const content = keep(message.content);
    return content.length === 0 ? [] : [{ ...message, content }];
  });
}

/** The package would wrap what went wrong in JSON; the text says it already. */
export function withPlainErrors(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  return prompt.map((message) => {
    if (message.role !== 'tool') return message;
    const content = message.content.map((part) =>
      part.type === 'tool-result' && part.output.type === 'error-text'
        ? { ...part, output: { ...part.output, type: 'text' as const } }
        : part,
    );
    return { ...message, content };
  });
}
