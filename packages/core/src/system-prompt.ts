// The system prompt of a session: the agent's own words first, then what its tools and contract add.

import type { Agent } from './agent.ts';
import type { OutputContract } from './model.ts';
import type { Texts } from './texts.ts';
import type { Tool } from './tool.ts';
import { isWorkspaceTool } from './workspace.ts';

interface Prompted {
  readonly instructions: string;
  readonly tools: readonly Tool[];
  readonly output: OutputContract;
  readonly hints: Agent['hints'];
  readonly router: Agent['router'];
}

export function toSystemPrompt({ instructions, tools: all, output, hints, router }: Prompted, texts: Texts): string {
  const tools = all.filter((tool) => tool.isHidden !== true);
  // Tools of one server may all bring its words: they are said once.
  const advice = new Set(tools.map((tool) => tool.instructions?.trim() ?? ''));
  const paragraphs = [instructions.trim(), ...advice];
  if (tools.length > 0) paragraphs.push(texts.dataMark);
  if (tools.length > 0 && hints?.parallel !== undefined) paragraphs.push(texts.planParallel(hints.parallel));
  if (tools.some((tool) => tool.isQuestion)) paragraphs.push(texts.mayAsk);
  if (tools.some(isWorkspaceTool)) paragraphs.push(texts.mayShare);
  if (router) paragraphs.push(texts.mayHandOver(router.destinations));
  if (output.format === 'json') paragraphs.push(texts.jsonContract(output.schema));
  if (output.format === 'markdown') paragraphs.push(texts.markdownContract);
  return paragraphs.filter((paragraph) => paragraph !== '').join('\n\n');
}
