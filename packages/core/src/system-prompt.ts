// The system prompt of a session: the agent's own words first, then what its tools and contract add.

import type { Agent } from './agent.ts';
import { toWanted } from './middleware/report-metadata.ts';
import type { OutputContract } from './model.ts';
import type { Place } from './place.ts';
import type { Texts } from './texts.ts';
import type { Tool } from './tool.ts';
import { isWorkspaceTool } from './workspace.ts';

interface Prompted {
  readonly instructions: string;
  readonly tools: readonly Tool[];
  readonly output: OutputContract;
  readonly hints: Agent['hints'];
  readonly router: Agent['router'];
  readonly plugins: Agent['plugins'];
  /** What the caller says, the last of all. @default nothing */
  readonly more?: string;
  readonly place: Place;
}

export function toSystemPrompt(prompted: Prompted, texts: Texts): string {
  const { instructions, tools: all, output, hints, router, plugins, place, more = '' } = prompted;
  const tools = all.filter((tool) => tool.isHidden !== true);
  // Tools of one server may all bring its words: they are said once.
  const advice = new Set(tools.map((tool) => tool.instructions?.trim() ?? ''));
  const paragraphs = [instructions.trim(), ...advice];
  if (tools.length > 0) paragraphs.push(texts.dataMark);
  if (tools.length > 0 && hints?.parallel !== undefined) paragraphs.push(texts.planParallel(hints.parallel));
  if (tools.some((tool) => tool.isQuestion)) paragraphs.push(texts.mayAsk);
  if (tools.some(isWorkspaceTool)) paragraphs.push(texts.mayShare);
  if (router) paragraphs.push(texts.mayHandOver(router.destinations));
  paragraphs.push(contractText(output, texts));
  if (plugins?.length) paragraphs.push(texts.metadataContract(toWanted(plugins, undefined, { place })));
  paragraphs.push(more.trim());
  return paragraphs.filter((paragraph) => paragraph !== '').join('\n\n');
}

/** Empty where any words will do. */
export function contractText({ format, schema }: OutputContract, texts: Texts): string {
  if (format === 'json') return texts.jsonContract(schema);
  return format === 'markdown' ? texts.markdownContract : '';
}
