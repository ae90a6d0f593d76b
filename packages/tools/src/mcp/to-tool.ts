// A tool of a server as one of ours.

import type { JsonObject, JsonSchema, ToolCaching, ToolContext, ToolDefinition, ToolQueue } from '@ai-agent/core';
import { type CalledServer, callServer } from './call-server.ts';
import { exposedName } from './filter.ts';
import { toInputSchema } from './input-schema.ts';
import type { Link, McpTool } from './link.ts';

/** What the tools of one server have in common, in one session. */
export interface Server extends CalledServer {
  /** What it says about its tools. */
  readonly instructions: string | undefined;
  readonly queue?: ToolQueue;
  readonly timeoutMs?: number;
  /** For how long its answers may be given again. */
  readonly cachingOf: (tool: McpTool) => ToolCaching | undefined;
  /** Instead of the tool's own. */
  readonly schemaOf: (tool: string) => JsonSchema | undefined;
}

export function toTool(tool: McpTool, server: Server): ToolDefinition {
  const { link, queue, timeoutMs, instructions } = server;
  const { name, annotations = {} } = tool;
  const description = [tool.description, tool.title, annotations.title].find((text) => text?.trim());
  const cache = server.cachingOf(tool);
  return {
    name: exposedName(link.serverName, name),
    identity: { namespace: link.serverName, tool: name },
    inputSchema: toInputSchema(server.schemaOf(name) ?? tool.inputSchema),
    ...(description === undefined ? {} : { description }),
    ...(instructions === undefined ? {} : { instructions }),
    readOnly: annotations.readOnlyHint === true,
    ...(annotations.idempotentHint === true ? { idempotent: true } : {}),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(queue ? { queue } : {}),
    ...(cache ? { cache } : {}),
    execute: (args: JsonObject, context: ToolContext) => callServer(tool, server, { args, context }),
  };
}

const maxInstructionBytes = 8_000;

/** Whose they are stands above them: a server speaks of its own tools only. */
export function toInstructions({
  serverName,
  instructions = '',
}: Pick<Link, 'serverName' | 'instructions'>): string | undefined {
  const text = instructions.trim();
  if (text === '') return undefined;
  const isWhole = Buffer.byteLength(text) <= maxInstructionBytes;
  const kept = isWhole ? text : `${cutBytes(text, maxInstructionBytes)} … (cut here)`;
  return `What the server ${serverName} says about its tools, ${exposedName(serverName, '…')}:\n\n${kept}`;
}

function cutBytes(text: string, bytes: number): string {
  return new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true });
}
