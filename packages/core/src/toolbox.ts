// The tools of one session: gathered from definitions and sources, under names every provider accepts.

import { hiddenAskUser } from './ask-user.ts';
import { AgentError, isAgentError, messageOf } from './errors.ts';
import { isObject } from './json.ts';
import type { OpenedTool } from './operation.ts';
import { acceptedSchemaOf } from './schema.ts';
import { checkTool, type SessionTool, type SourceContext, type Tool, type ToolOffer, type ToolSource } from './tool.ts';
import { batchName, taskStatusName, toolOutputName, toSafeName } from './tool-names.ts';
import { workspaceTools } from './workspace.ts';

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
    const isPlain = !offers.some(isSourceOffer);
    const tools = isPlain
      ? (offers as readonly Tool[])
      : (await Promise.all(offers.map((offer) => listTools(offer, context, owned)))).flat();
    return { ...shared(tools), close: owned.length === 0 ? closeNothing : close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Whether tools have to be asked for first. */
export function isSourceOffer(offer: ToolOffer): boolean {
  return typeof offer === 'function' || isSource(offer);
}

async function closeNothing(): Promise<void> {}

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

type Gathered = Pick<Toolbox, 'tools' | 'opened'>;

function gather(list: readonly Tool[]): Gathered {
  const tools = new Map<string, Tool>();
  const add = (name: string, tool: Tool) => {
    const other = tools.get(name);
    if (other) throw collision(name, other, tool);
    tools.set(name, tool);
  };
  for (const tool of list) {
    checkTool(tool);
    if (!tool.isClientTool) add(toSafeName(tool.name), tool);
  }
  // A client cannot know what the agent has: its tools give way, and are given back under the name that it knows.
  const numbers = new Map<string, number>();
  for (const tool of list) if (tool.isClientTool) add(freeName(toSafeName(tool.name), tools, numbers), tool);
  // Frozen because shared: who changes what it was given must not change it for others.
  const opened = [...tools].map(([name, tool]) => Object.freeze(toOpened(name, tool)));
  return { tools, opened: Object.freeze(opened) };
}

/** Thousands of names may be one when they are safe: each number is tried once. */
function freeName(name: string, taken: ReadonlyMap<string, Tool>, numbers: Map<string, number>): string {
  let free = name;
  for (let number = numbers.get(name) ?? 1; taken.has(free); number++) {
    free = toSafeName(number === 1 ? `client__${name}` : `client__${name}_${number}`);
    numbers.set(name, number + 1);
  }
  return free;
}

const reserved: readonly string[] = [
  hiddenAskUser.name,
  toolOutputName,
  batchName,
  taskStatusName,
  ...workspaceTools.map(({ name }) => name),
];

function collision(name: string, one: Tool, other: Tool): AgentError {
  if (reserved.includes(name)) {
    const message = `The name "${name}" is reserved: the session has a tool of its own under it, so that "${labelOf(one)}" cannot have it.`;
    return new AgentError('tool-name-collision', message, { remedy: 'Give your tool another name.' });
  }
  const message = `Two tools would be offered as "${name}": "${labelOf(one)}" and "${labelOf(other)}".`;
  const [server, its] = [one.identity?.namespace ?? '', other.identity?.namespace];
  const remedy = `Take one of them away: toolsDenied: ["${labelOf(other)}"] in the set-up of the server ${server}.`;
  return new AgentError('tool-name-collision', message, server === its && isServer(server) ? { remedy } : {});
}

function isServer(namespace: string): boolean {
  return !['', 'agent', 'rest'].includes(namespace);
}

// By the first tool of each. Lives as long as that tool does.
const gatheredBefore = new WeakMap<Tool, Gathered>();

/** Sessions of one agent mostly have the very same tools, and there may be thousands: one copy is enough for all. */
function shared(list: readonly Tool[]): Gathered {
  const [first] = list;
  if (!isObject(first)) return gather(list);
  const before = gatheredBefore.get(first);
  if (before && isOf(before, list)) return before;
  const gathered = gather(list);
  gatheredBefore.set(first, gathered);
  return gathered;
}

/** Tools are their owners', who may have changed them. */
function isOf({ tools, opened }: Gathered, list: readonly Tool[]): boolean {
  if (opened.length !== list.length) return false;
  return list.every((tool, i) => {
    const known = opened[i] as OpenedTool;
    return (
      tools.get(known.name) === tool &&
      (tool.description ?? '') === known.description &&
      tool.inputSchema === known.inputSchema &&
      isSameFlags(tool, known)
    );
  });
}

function isSameFlags(tool: Tool, known: OpenedTool): boolean {
  const {
    operation = 'task',
    titleFrom = null,
    agentName = null,
    agentId = agentName,
    isKept = false,
    partner,
  } = tool as Partial<SessionTool>;
  return (
    labelOf(tool) === known.label &&
    (tool.identity?.namespace ?? '') === known.namespace &&
    operation === known.operation &&
    titleFrom === known.titleFrom &&
    agentName === known.agentName &&
    agentId === known.agentId &&
    isKept === known.isKept &&
    (tool.isHidden !== true) === known.isOffered &&
    asksOf(tool) === known.asks &&
    partner === known.partner &&
    tool.endsSession === known.endsSession &&
    tool.isClientTool === known.isClientTool &&
    tool.readOnly === known.readOnly
  );
}

function asksOf(tool: Tool): OpenedTool['asks'] {
  if (tool.isQuestion) return 'question';
  return tool.needsApproval ? 'approval' : null;
}

function toOpened(name: string, tool: Tool): OpenedTool {
  const { operation, titleFrom, agentName, agentId = agentName, isKept, partner } = tool as Partial<SessionTool>;
  const acceptedSchema = acceptedSchemaOf(tool.inputSchema);
  return {
    name,
    description: tool.description ?? '',
    inputSchema: tool.inputSchema,
    ...(acceptedSchema ? { acceptedSchema } : {}),
    label: labelOf(tool),
    namespace: tool.identity?.namespace ?? '',
    operation: operation ?? 'task',
    titleFrom: titleFrom ?? null,
    isOffered: tool.isHidden !== true,
    agentName: agentName ?? null,
    agentId: agentId ?? null,
    isKept: isKept === true,
    asks: asksOf(tool),
    ...(tool.readOnly === undefined ? {} : { readOnly: tool.readOnly }),
    ...(tool.endsSession === undefined ? {} : { endsSession: tool.endsSession }),
    ...(tool.isClientTool === undefined ? {} : { isClientTool: tool.isClientTool }),
    ...(partner ? { partner } : {}),
  };
}

function labelOf(tool: Tool): string {
  return tool.identity?.tool ?? tool.name;
}

/** Throws when it is no longer there. */
export function toolIn({ tools }: Toolbox, name: string): Tool {
  const tool = tools.get(name);
  if (tool) return tool;
  throw new AgentError('tool-unknown', `The tool ${name} was offered when the session opened, and is gone.`);
}
