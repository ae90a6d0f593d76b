// Estimates of tokens before a provider has counted them: of whole messages with their ids, and as JSON carries them. They err on
// the high side.

import type { JsonSchema } from './json.ts';
import type { Message, ToolResultPart } from './message.ts';
import type { OutputContract, ToolSpec } from './model.ts';
import { escapedBytes, utf8Bytes } from './text.ts';

/** Until a tokenizer or a provider has measured it. */
export const usualBytesPerToken = 3.5;
/** For budgets: how much an estimate is raised while no reply has shown how the provider counts. */
export const uncountedFactor = 1.25;

/** Estimates of fewer tokens say little of how a provider counts. */
export const tellingTokens = 32;

/** Tokens that a provider counted for one that was estimated. No tokenizer makes more than one token of a byte. */
export function boundedFactor(factor: number, bytesPerToken = usualBytesPerToken): number {
  return Math.min(Math.max(1, factor), Math.max(1, bytesPerToken));
}

const perMessage = 8;
/** The frame of a tool call or of its result in a request, and that of a tool definition. */
const perFrame = 30;
const perTool = 16;
/** A picture or a file is counted by its own measure; this is a usual one. */
const perFile = 1_500;

export function tokensOf(text: string, bytesPerToken = usualBytesPerToken): number {
  return Math.ceil(utf8Bytes(text) / bytesPerToken);
}

export function tokensOfMessage(message: Message, bytesPerToken?: number): number {
  if (message.role === 'system') return perMessage + tokensOfText(message.text, bytesPerToken);
  let tokens = perMessage;
  for (const part of message.content) {
    if (part.type === 'file') tokens += perFile;
    else if (part.type === 'tool-result') tokens += tokensOfResultPart(part, bytesPerToken);
    else if (part.type === 'tool-call')
      tokens += perFrame + tokensOfText(part.id + part.name + part.input, bytesPerToken);
    else tokens += tokensOfText(part.text, bytesPerToken);
  }
  return tokens;
}

/** The text of a result, and its files. */
export function tokensOfResult(
  { text, files }: Pick<ToolResultPart, 'text' | 'files'>,
  bytesPerToken?: number,
): number {
  return tokensOfText(text, bytesPerToken) + tokensOfFiles(files);
}

/** Tokens of a result in its frame, with the id of its call. */
export function tokensOfResultPart(part: ToolResultPart, bytesPerToken?: number): number {
  return perFrame + tokensOf(part.id + part.name, bytesPerToken) + tokensOfResult(part, bytesPerToken);
}

/** Escaped, as it stands in a request. */
function tokensOfText(text: string, bytesPerToken = usualBytesPerToken): number {
  return Math.ceil(escapedBytes(text) / bytesPerToken);
}

export function tokensOfFiles(files: ToolResultPart['files']): number {
  return files ? files.length * perFile : 0;
}

export function tokensOfTools(tools: readonly ToolSpec[]): number {
  let tokens = 0;
  for (const { name, description, inputSchema } of tools)
    tokens += perTool + tokensOfText(name + description) + tokensOfSchema(inputSchema);
  return tokens;
}

/** Tokens of the JSON Schema that goes with each request for a JSON report. */
export function tokensOfContract({ schema }: OutputContract): number {
  return schema ? tokensOfSchema(schema) : 0;
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
