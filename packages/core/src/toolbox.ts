// The tools of one session: gathered from definitions and sources, under names every provider accepts.

import { AgentError, isAgentError, messageOf } from './errors.ts';
import { isObject } from './json.ts';
import type { OpenedTool } from './operation.ts';
import { checkTool, type SessionTool, type SourceContext, type Tool, type ToolOffer, type ToolSource } from './tool.ts';
import { toSafeName } from './tool-names.ts';

export interface Toolbox {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly opened: readonly OpenedTool[];
  /** Closes the sources that belong to this session alone. */
  close(): Promise<void>;
}

export async function openToolbox(offers: readonly ToolOffer[], context: SourceContext): Promise<Toolbox> {
  const owned: ToolSource[] = [];
  const close = async () => {
    await Promise.allSettled(owned.splice(0).map(async (source) => source.close?.()));
  };
  try {
    const lists = await Promise.all(offers.map((offer) => listTools(offer, context, owned)));
    const tools = gather(lists.flat());
    return { tools, opened: [...tools].map(([name, tool]) => toOpened(name, tool)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function listTools(offer: ToolOffer, context: SourceContext, owned: ToolSource[]): Promise<readonly Tool[]> {
  if (typeof offer !== 'function' && !isSource(offer)) return [offer];
  try {
    const source = typeof offer === 'function' ? offer(context) : offer;
    if (typeof offer === 'function') owned.push(source);
    const tools: unknown = await source.list(context);
    if (Array.isArray(tools)) return tools as readonly Tool[];
    throw new AgentError('tool-source-failed', 'A source of tools listed something that is not a list.');
  } catch (error) {
    if (isAgentError(error)) throw error;
    throw new AgentError('tool-source-failed', `A source of tools could not be listed: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function isSource(offer: Tool | ToolSource): offer is ToolSource {
  return isObject(offer) && 'list' in offer;
}

function gather(list: readonly Tool[]): Map<string, Tool> {
  const tools = new Map<string, Tool>();
  for (const tool of list) {
    checkTool(tool);
    const name = toSafeName(tool.name);
    const other = tools.get(name);
    if (other) {
      const message = `Two tools would be offered as "${name}": "${labelOf(other)}" and "${labelOf(tool)}".`;
      throw new AgentError('tool-name-collision', message);
    }
    tools.set(name, tool);
  }
  return tools;
}

function toOpened(name: string, tool: Tool): OpenedTool {
  const { operation, titleFrom, agentName, isKept } = tool as Partial<SessionTool>;
  return {
    name,
    description: tool.description ?? '',
    inputSchema: tool.inputSchema,
    label: labelOf(tool),
    namespace: tool.identity?.namespace ?? '',
    operation: operation ?? 'task',
    titleFrom: titleFrom ?? null,
    isOffered: tool.isHidden !== true,
    agentName: agentName ?? null,
    isKept: isKept === true,
    asks: tool.isQuestion ? 'question' : tool.needsApproval ? 'approval' : null,
  };
}

function labelOf(tool: Tool): string {
  return tool.identity?.tool ?? tool.name;
}
