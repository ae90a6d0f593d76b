// The tools of one session: gathered from definitions and sources, under names every provider accepts.

import { AgentError, isAgentError, messageOf } from './errors.ts';
import { isObject } from './json.ts';
import type { OpenedTool } from './operation.ts';
import { checkSchema } from './schema.ts';
import type { SessionTool, SourceContext, Tool, ToolOffer, ToolSource } from './tool.ts';
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
  if (typeof offer !== 'function' && !('list' in offer)) return [offer];
  try {
    const source = typeof offer === 'function' ? offer(context) : offer;
    if (typeof offer === 'function') owned.push(source);
    return await source.list(context);
  } catch (error) {
    if (isAgentError(error)) throw error;
    throw new AgentError('tool-source-failed', `A source of tools could not be listed: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function gather(list: readonly Tool[]): Map<string, Tool> {
  const tools = new Map<string, Tool>();
  for (const tool of list) {
    checkTool(tool);
    const name = toSafeName(tool.name);
    const other = tools.get(name);
    if (other) {
      const message = `Two tools would be offered as "${name}": "${other.name}" and "${tool.name}".`;
      throw new AgentError('tool-name-collision', message);
    }
    checkSchema(tool.inputSchema, `inputSchema of tool ${tool.name}`);
    tools.set(name, tool);
  }
  return tools;
}

function checkTool(tool: Tool): void {
  const { name, inputSchema } = tool;
  const works = 'startSession' in tool ? tool.startSession : tool.execute;
  const problem =
    typeof name !== 'string' || name === ''
      ? 'has no name'
      : typeof works !== 'function'
        ? 'has no execute function'
        : !isObject(inputSchema) || (inputSchema.type ?? 'object') !== 'object'
          ? 'needs an inputSchema whose root is an object'
          : undefined;
  if (problem) throw new AgentError('agent-invalid', `The tool ${JSON.stringify(name)} ${problem}.`);
}

function toOpened(name: string, tool: Tool): OpenedTool {
  const { operation, titleFrom } = tool as Partial<SessionTool>;
  return {
    name,
    description: tool.description ?? '',
    inputSchema: tool.inputSchema,
    label: tool.identity?.tool ?? tool.name,
    namespace: tool.identity?.namespace ?? '',
    operation: operation ?? 'task',
    titleFrom: titleFrom ?? null,
  };
}
