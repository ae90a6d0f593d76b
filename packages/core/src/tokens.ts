// How many tokens something will be, before anybody has counted. Estimates err on the high side.

import type { JsonSchema } from './json.ts';
import type { Message, ToolResultPart } from './message.ts';
import type { ToolSpec } from './model.ts';
import { utf8Bytes } from './text.ts';

/** What a token is, as long as nobody has measured. */
export const usualBytesPerToken = 3.5;
const perMessage = 4;
/** A picture or a file is counted by its own measure; this is a usual one. */
const perFile = 1_500;

export function tokensOf(text: string, bytesPerToken = usualBytesPerToken): number {
  return Math.ceil(utf8Bytes(text) / bytesPerToken);
}

export function tokensOfMessage(message: Message, bytesPerToken?: number): number {
  if (message.role === 'system') return perMessage + tokensOf(message.text, bytesPerToken);
  let tokens = perMessage;
  for (const part of message.content) {
    if (part.type === 'file') tokens += perFile;
    else if (part.type === 'tool-result') tokens += tokensOfResult(part, bytesPerToken);
    else tokens += tokensOf(part.type === 'tool-call' ? part.name + part.input : part.text, bytesPerToken);
  }
  return tokens;
}

/** The text of a result, and its files. */
export function tokensOfResult(
  { text, files }: Pick<ToolResultPart, 'text' | 'files'>,
  bytesPerToken?: number,
): number {
  return tokensOf(text, bytesPerToken) + tokensOfFiles(files);
}

export function tokensOfFiles(files: ToolResultPart['files']): number {
  return files ? files.length * perFile : 0;
}

export function tokensOfTools(tools: readonly ToolSpec[]): number {
  let tokens = 0;
  for (const { name, description, inputSchema } of tools)
    tokens += perMessage + tokensOf(name + description) + tokensOfSchema(inputSchema);
  return tokens;
}

// Only remembers what a definition came to: the same tools are offered to thousands of sessions.
const measured = new WeakMap<JsonSchema, number>();

function tokensOfSchema(schema: JsonSchema): number {
  const known = measured.get(schema) ?? tokensOf(JSON.stringify(schema));
  measured.set(schema, known);
  return known;
}

/** Whichever of the models answers: by the one that makes the most tokens of a text. */
export function bytesPerTokenOf(models: readonly { readonly bytesPerToken?: number }[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (const { bytesPerToken = usualBytesPerToken } of models) least = Math.min(least, bytesPerToken);
  return Number.isFinite(least) ? least : usualBytesPerToken;
}
