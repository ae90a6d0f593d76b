// A server without a process: lists these tools and answers as it is told, for what only the mapping is about.

import type { SourceContext, ToolDefinition, ToolSource } from '@ai-agent/core';
import type { CallToolResult } from '@modelcontextprotocol/client';
import type { Lease, LeaseOptions, McpTool } from '../../src/mcp/link.ts';
import { type McpSourceOptions, mcpSource } from '../../src/mcp/mcp-source.ts';
import type { ServerConfig } from '../../src/mcp/server-config.ts';
import type { ToolSetUp } from '../../src/set-up.ts';

export interface FakeServer {
  readonly tools: readonly Partial<McpTool>[];
  readonly call?: () => Promise<CallToolResult>;
  /** Leases wait for it. */
  readonly ready?: Promise<unknown>;
}

export function fakeServer({ tools, call = async () => ({ content: [] }), ready }: FakeServer) {
  const leased: { readonly server: ServerConfig; readonly options: LeaseOptions }[] = [];
  const state = { released: 0 };
  const connections = {
    async lease(server: ServerConfig, options: LeaseOptions): Promise<Lease> {
      leased.push({ server, options });
      await ready;
      const link = { serverName: server.name, instructions: undefined, tools: async () => tools as McpTool[], call };
      return { link, release: async () => void state.released++ };
    },
  };
  return { connections, leased, state };
}

export interface OpenedSource {
  readonly source: ToolSource;
  readonly hidden: readonly string[];
  list(): Promise<readonly ToolDefinition[]>;
}

export interface OpenOptions extends Partial<ToolSetUp> {
  readonly env?: Readonly<Record<string, string>>;
  readonly isAttended?: boolean;
  /** @default its own */
  readonly surroundings?: McpSourceOptions['surroundings'];
}

/** The source of a server for a session with these variables. */
export function openSource(
  server: { readonly connections: McpSourceOptions['connections'] },
  config: Readonly<Record<string, unknown>>,
  { env = {}, isAttended = false, surroundings = { cwd: '/srv', serverEnv: {} }, ...setUp }: OpenOptions = {},
): OpenedSource {
  const hidden: string[] = [];
  const context: SourceContext = {
    env,
    signal: new AbortController().signal,
    isAttended,
    hide: (secret) => void hidden.push(secret),
  };
  const queues = {
    queue: (name: string | undefined) => ({ name, enter: () => () => {} }),
  };
  const whole: ToolSetUp = {
    section: 'mcpServers',
    name: 'fake',
    config,
    folder: '/srv',
    isWanted: () => true,
    named: [],
    queues: new Map(),
    ...setUp,
  };
  const factory = mcpSource(whole, { connections: server.connections, queues, surroundings });
  const source = factory(context);
  return { source, hidden, list: async () => (await source.list(context)) as readonly ToolDefinition[] };
}
