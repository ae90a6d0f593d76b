// Agents as tools in memory, for tests of what clients are shown: those of both SDKs, each in the revision that it speaks best.

import type { Agent } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { Client as NewerClient, StreamableHTTPClientTransport as NewerTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { onTestFinished } from 'vitest';
import {
  createApp,
  Hall,
  type HallOptions,
  type Keys,
  type McpRoutesOptions,
  mcp,
  rest,
  type ServedAgent,
} from '../../src/index.ts';

export interface McpApp {
  readonly hall: Hall;
  /** Serves these from now on, and says so. */
  serve(agents: readonly (Agent | ServedAgent)[]): void;
  /** REST too, at the same door. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** SDK 1.x, of 2025-11-25. */
  older(key?: string): Promise<OlderClient>;
  /** SDK 2.x, of 2026-07-28. */
  newer(key?: string): Promise<NewerClient>;
}

interface Options extends Partial<Omit<HallOptions, 'agents'>> {
  readonly mcp?: McpRoutesOptions;
  readonly keys?: Keys;
}

const info = { name: 'guest', version: '1.0.0' };
const address = new URL('http://127.0.0.1/mcp');

export function mcpApp(agents: readonly (Agent | ServedAgent)[], options: Options = {}): McpApp {
  const { mcp: settings, keys, ...more } = options;
  let served = agents.map(toServed);
  const hall = new Hall({ agents: () => served, ports: fakePorts(), ...more });
  const headend = mcp(settings);
  const app = createApp(hall, [rest(), headend], { keys });
  onTestFinished(() => headend.close?.());
  const request = async (path: string, init?: RequestInit) => app.request(path, init);
  const over = (key?: string) => ({
    fetch: async (url: string | URL, init?: RequestInit) => app.request(url.toString(), init),
    ...(key === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${key}` } } }),
  });
  return {
    hall,
    serve(others) {
      served = others.map(toServed);
      hall.agentsChanged();
    },
    request,
    async older(key) {
      const client = new OlderClient(info);
      await client.connect(new OlderTransport(address, over(key)) as Parameters<OlderClient['connect']>[0]);
      onTestFinished(() => client.close());
      return client;
    },
    async newer(key) {
      const client = new NewerClient(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
      await client.connect(new NewerTransport(address, over(key)));
      onTestFinished(() => client.close());
      return client;
    },
  };
}

function toServed(one: Agent | ServedAgent): ServedAgent {
  return 'agent' in one ? one : { name: one.name, agent: one };
}
