// Names that a provider refuses go under others, and come back as they were.

import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
} from '@ai-sdk/provider';

export interface Renaming {
  readonly options: LanguageModelV4CallOptions;
  /** A call of the reply, in our own names. */
  readonly back: (call: LanguageModelV4ToolCall) => LanguageModelV4ToolCall;
}

/** `rename` gives nothing where all names will do, as nearly always. */
export function renaming(
  model: LanguageModelV4,
  rename: (options: LanguageModelV4CallOptions) => Renaming | undefined,
): LanguageModelV4 {
  const { specificationVersion, provider, modelId, supportedUrls } = model;
  return {
    specificationVersion,
    provider,
    modelId,
    supportedUrls,
    doGenerate(asked) {
      const { options = asked, back } = rename(asked) ?? {};
      const answer = model.doGenerate(options);
      if (!back) return answer;
      return Promise.resolve(answer).then((result) => ({
        ...result,
        content: result.content.map((part) => (part.type === 'tool-call' ? back(part) : part)),
      }));
    },
    doStream(asked) {
      const { options = asked, back } = rename(asked) ?? {};
      const answer = model.doStream(options);
      if (!back) return answer;
      return Promise.resolve(answer).then((result) => ({
        ...result,
        stream: result.stream.pipeThrough(
          new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
            transform: (part, controller) => controller.enqueue(part.type === 'tool-call' ? back(part) : part),
          }),
        ),
      }));
    },
  };
}

/** For each name that will not do, another that no one has; undefined when there is none. */
export function otherNames(
  names: readonly string[],
  isGood: (name: string) => boolean,
  toGood: (name: string) => string,
): ReadonlyMap<string, string> | undefined {
  if (names.every(isGood)) return undefined;
  const used = new Set(names.filter(isGood));
  const others = new Map<string, string>();
  for (const name of names) {
    if (isGood(name) || others.has(name)) continue;
    const good = toGood(name);
    let free = good;
    for (let count = 2; used.has(free); count++) free = `${good.slice(0, 60)}_${count}`;
    used.add(free);
    others.set(name, free);
  }
  return others;
}

export function reversed(names: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...names].map(([name, other]) => [other, name]));
}

/** A prompt with its calls and their results as `change` makes them. */
export function withParts(
  prompt: LanguageModelV4CallOptions['prompt'],
  change: <Part extends { readonly toolName: string }>(part: Part) => Part,
): LanguageModelV4CallOptions['prompt'] {
  return prompt.map((message) =>
    message.role === 'assistant' || message.role === 'tool'
      ? ({
          ...message,
          content: message.content.map((part) => ('toolName' in part ? change(part) : part)),
        } as typeof message)
      : message,
  );
}
