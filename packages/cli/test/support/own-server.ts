// A server on this machine whose agents have that very server as a tool.

import { type Agent, type McpServerConfig, mcpServer, restTool, type ToolOffer } from '@ai-agent/cli';
import { scriptedModel } from '@ai-agent/cli/testing';
import type { Outcome } from '@ai-agent/core';
import {
  anthropic,
  createApp,
  Hall,
  type HallOptions,
  hashOf,
  type KeySettings,
  Keys,
  listen,
  mcp,
  openai,
  rest,
  type SessionHead,
} from '@ai-agent/server';
import { onTestFinished } from 'vitest';
import { defaultPorts } from '../../src/platform.ts';

export interface OwnServer {
  readonly url: string;
  readonly port: number;
  readonly hall: Hall;
  /** What came of every session so far. */
  readonly ended: readonly { readonly head: SessionHead; readonly outcome: Outcome | undefined }[];
}

export interface OwnServerOptions extends Pick<HallOptions, 'places'> {
  readonly host?: string;
  /** What whoever shows `ownKey` may do; the agents show it too. @default there are no keys */
  readonly key?: Omit<KeySettings, 'hash'>;
}

export const ownKey = 'the key of everybody in this test';

/** Listens until the test is over. The agents know where. */
export async function ownServer(
  toAgents: (url: string) => readonly Agent[],
  { places = {}, host = '127.0.0.1', key }: OwnServerOptions = {},
): Promise<OwnServer> {
  let agents: readonly Agent[] = [];
  const ended: { head: SessionHead; outcome: Outcome | undefined }[] = [];
  const ports = defaultPorts();
  const hall = new Hall({
    agents: () => agents.map((agent) => ({ name: agent.name, agent })),
    ports,
    places,
    onEnd: (head, outcome) => ended.push({ head, outcome }),
    onBug: (error) => {
      throw error;
    },
  });
  const door = key ? { keys: new Keys({ own: { ...key, hash: hashOf(ownKey) } }, ports.clock) } : {};
  const headends = [rest(), mcp(), openai(), anthropic()];
  const { url, port, close } = await listen(createApp(hall, headends, door), { port: 0, host });
  agents = toAgents(url);
  onTestFinished(async () => {
    hall.cancelAll();
    await Promise.all(headends.map((headend) => headend.close?.()));
    await close();
  });
  return { url, port, hall, ended };
}

/** An agent that asks others over HTTP, all at once, and then says what each said, or why it did not: `a(b, server-full)`. */
export function caller(name: string, urls: readonly string[], more: Partial<Agent> = {}): Agent {
  const calls = urls.map((_, i) => ({ name: `rest__ask${i}`, input: { q: 'go' } }));
  const model = scriptedModel(({ messages }) => {
    const last = messages.at(-1);
    if (last?.role !== 'tool') return calls.length > 0 ? { calls } : name;
    return `${name}(${last.content.map(({ text }) => toWord(text)).join(', ')})`;
  });
  const headers = { 'x-api-key': ownKey };
  const tools = urls.map((url, i) =>
    restTool(`ask${i}`, { url: `${url}?q=\${parameters.q}`, headers, description: 'asks' }),
  );
  return { name, instructions: 'Ask.', model, tools: [...tools, ...(more.tools ?? [])] satisfies ToolOffer[], ...more };
}

/** How a server that listens there is spoken to over each transport of the Model Context Protocol. */
export const mcpWays: Readonly<Record<'http' | 'sse' | 'ws', (url: string) => McpServerConfig>> = {
  http: (url) => ({ url: `${url}/mcp` }),
  sse: (url) => ({ url: `${url}/mcp/sse`, type: 'sse' }),
  ws: (url) => ({ url: `${url.replace('http', 'ws')}/mcp/ws` }),
};

/** The same as `caller` with a server of the protocol, `us`, whose tools the others are. */
export function mcpCaller(name: string, config: McpServerConfig, others: readonly string[]): Agent {
  const calls = others.map((other) => ({ name: `us__${other}`, input: { text: 'go', format: 'text' } }));
  const model = scriptedModel(({ messages }) => {
    const last = messages.at(-1);
    if (last?.role !== 'tool') return calls.length > 0 ? { calls } : name;
    return `${name}(${last.content.map(({ text }) => toReason(text)).join(', ')})`;
  });
  const tools = others.length > 0 ? [mcpServer('us', { headers: { 'x-api-key': ownKey }, ...config })] : [];
  return { name, description: `is ${name}`, instructions: 'Ask.', model, tools };
}

const reasons = [
  ['agent-cycle', /is already at work above/],
  ['depth-limit', /agents are above it/],
  ['server-full', /places? (?:is|are) taken/],
] as const;

/** A failure is told in words: what is wrong, and what to do. */
function toReason(text: string): string {
  if (!/^Failed .*What to do:/s.test(text)) return text.trim();
  return reasons.find(([, words]) => words.test(text))?.[0] ?? text;
}

/** A model reads the whole of it: what is wrong, and what to do. */
function toWord(text: string): string {
  return /^Failed .*"code":"([\w-]+)".*What to do:/s.exec(text)?.[1] ?? text.trim();
}
