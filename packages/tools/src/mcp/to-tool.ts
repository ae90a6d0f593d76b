// A tool of a server as one of ours.

import {
  fail,
  isAgentError,
  type JsonObject,
  type JsonSchema,
  oneLine,
  type ToolCaching,
  type ToolContext,
  type ToolDefinition,
  type ToolOutput,
  type ToolQueue,
} from '@ai-agent/core';
import { withCaller } from '../calling.ts';
import type { Calls } from './calls.ts';
import { toOutput } from './content.ts';
import { exposedName } from './filter.ts';
import { toInputSchema } from './input-schema.ts';
import type { Link, McpTool } from './link.ts';

/** What the tools of one server have in common, in one session. */
export interface Server {
  readonly link: Link;
  readonly calls: Calls;
  /** As the session found them when it opened. */
  readonly listed: readonly McpTool[];
  readonly queue?: ToolQueue;
  readonly timeoutMs?: number;
  /** For how long its answers may be given again. */
  readonly cachingOf: (tool: string) => ToolCaching | undefined;
  /** Instead of the tool's own. */
  readonly schemaOf: (tool: string) => JsonSchema | undefined;
}

export function toTool(tool: McpTool, server: Server): ToolDefinition {
  const { link, queue, timeoutMs } = server;
  const { name, title, description = title, annotations = {} } = tool;
  const cache = server.cachingOf(name);
  const instructions = toInstructions(link);
  return {
    name: exposedName(link.serverName, name),
    identity: { namespace: link.serverName, tool: name },
    inputSchema: toInputSchema(server.schemaOf(name) ?? tool.inputSchema),
    ...(description === undefined ? {} : { description }),
    ...(instructions === undefined ? {} : { instructions }),
    ...(annotations.readOnlyHint === true ? { readOnly: true } : {}),
    ...(annotations.idempotentHint === true ? { idempotent: true } : {}),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(queue ? { queue } : {}),
    ...(cache ? { cache } : {}),
    execute: (args: JsonObject, context: ToolContext) => call(tool, server, { args, context }),
  };
}

const maxInstructionBytes = 8_000;

/** Whose they are stands above them: a server speaks of its own tools only. */
function toInstructions({ serverName, instructions = '' }: Link): string | undefined {
  const text = instructions.trim();
  if (text === '') return undefined;
  const isWhole = Buffer.byteLength(text) <= maxInstructionBytes;
  const kept = isWhole ? text : `${cutBytes(text, maxInstructionBytes)} … (cut here)`;
  return `What the server ${serverName} says about its tools, ${exposedName(serverName, '…')}:\n\n${kept}`;
}

function cutBytes(text: string, bytes: number): string {
  return new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true });
}

interface Called {
  readonly args: JsonObject;
  readonly context: ToolContext;
}

async function call(tool: McpTool, server: Server, { args, context }: Called): Promise<ToolOutput> {
  const { link, calls } = server;
  const { signal, trace } = context;
  const isRepeatable = tool.annotations?.readOnlyHint === true || tool.annotations?.idempotentHint === true;
  const onProgress = (text: string) => context.progress(text);
  try {
    const result = await calls.during(context, () =>
      withCaller(trace, () => link.call(tool.name, args, { signal, trace, isRepeatable, onProgress })),
    );
    if (result.isError && (await isGone(tool, server, signal))) return gone(tool, link);
    return toOutput(result);
  } catch (error) {
    signal.throwIfAborted();
    // Only an answer of the server can mean that; after anything else, asking for its list would wait for it once more.
    if (isAgentError(error) && error.class === 'tool' && (await isGone(tool, server, signal))) return gone(tool, link);
    throw error;
  }
}

/** Whether the server has changed its list since the session opened, and this one is no longer in it. */
async function isGone({ name }: McpTool, { link, listed }: Server, signal: AbortSignal): Promise<boolean> {
  try {
    const now = await link.tools(signal);
    return now !== listed && !now.some((tool) => tool.name === name);
  } catch {
    return false;
  }
}

function gone({ name }: McpTool, { serverName }: Link): ToolOutput {
  return fail(`The server ${serverName} has taken the tool ${oneLine(name)} away since this session began.`, {
    remedy: 'Do without this tool; a new session gets the tools that the server has now.',
  });
}
