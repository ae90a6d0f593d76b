// A session whose tools are those of a server, through the front door, with a model that does as it is told.

import {
  type AgentEvent,
  AIAgentSession,
  type AIAgentSessionConfig,
  inProcess,
  type ModelRef,
  type Outcome,
  type ToolMessage,
} from '@ai-agent/core';
import { FakeClock, fakePorts, type Script, scriptedModel, strict } from '@ai-agent/core/testing';
import { type McpSourceOptions, mcpSource } from '../../src/mcp/mcp-source.ts';
import { Queues } from '../../src/queues.ts';
import type { ToolSetUp } from '../../src/set-up.ts';
import { openConnections } from './mcp.ts';

export interface Walk extends Partial<Omit<AIAgentSessionConfig, 'agent'>> {
  readonly server: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly script: Script;
  readonly setUp?: Partial<ToolSetUp>;
  readonly connections?: McpSourceOptions['connections'];
  readonly models?: readonly ModelRef[];
  readonly surroundings?: McpSourceOptions['surroundings'];
}

export interface Walked {
  readonly outcome: Outcome;
  readonly events: readonly AgentEvent[];
  /** What the model was told when it was asked first. */
  readonly system: string;
  readonly tools: readonly { readonly name: string; readonly description: string; readonly inputSchema: object }[];
  /** The results that the model got, in order. */
  readonly results: readonly ToolMessage['content'][number][];
}

const runtime = strict(inProcess, { nextTick: () => new Promise((resolve) => setImmediate(resolve)) });
const here = { cwd: process.cwd(), serverEnv: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' } };

export async function walkWith({ server, config, script, setUp, models, ...rest }: Walk): Promise<Walked> {
  const { connections = openConnections(), surroundings = here, ...options } = rest;
  const model = scriptedModel(script);
  const source = mcpSource(
    {
      section: 'mcpServers',
      name: server,
      config,
      folder: process.cwd(),
      isWanted: () => true,
      named: [],
      queues: new Map(),
      ...setUp,
    },
    { connections, queues: new Queues(new FakeClock()), surroundings },
  );
  const agent = { name: 'tester', instructions: 'Do as you are told.', model, tools: [source] };
  const events: AgentEvent[] = [];
  const onEvent = (event: AgentEvent) => {
    events.push(event);
    options.onEvent?.(event);
  };
  const outcome = await new AIAgentSession({ ports: fakePorts(), runtime, ...options, agent, onEvent }).run('go')
    .outcome;
  const [first] = model.requests;
  const last = model.requests.at(-1);
  const results = (last?.messages ?? []).flatMap((message) => (message.role === 'tool' ? message.content : []));
  return { outcome, events, system: first?.system ?? '', tools: first?.tools ?? [], results };
}

/** Calls these tools one after the other, then says done. */
export function calling(...calls: readonly { readonly name: string; readonly input?: unknown }[]): Script {
  return [...calls.map((call) => ({ calls: [call] })), 'done'];
}
