// The system prompt of a session: the agent's own words first, then what its tools and contract add.

import type { OutputContract } from './model.ts';
import type { Texts } from './texts.ts';
import type { Tool } from './tool.ts';

export function toSystemPrompt(
  instructions: string,
  all: readonly Tool[],
  output: OutputContract,
  texts: Texts,
): string {
  const tools = all.filter((tool) => tool.isHidden !== true);
  const paragraphs = [instructions.trim(), ...tools.map((tool) => tool.instructions?.trim() ?? '')];
  if (tools.length > 0) paragraphs.push(texts.dataMark);
  if (tools.some((tool) => tool.isQuestion)) paragraphs.push(texts.mayAsk);
  if (output.format === 'json') paragraphs.push(texts.jsonContract(output.schema));
  if (output.format === 'markdown') paragraphs.push(texts.markdownContract);
  return paragraphs.filter((paragraph) => paragraph !== '').join('\n\n');
}
