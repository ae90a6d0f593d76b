// Makes the agents of a spec for one tree: children shared, cycles made when a session opens.

import {
  type Agent,
  AIAgentSession,
  agentTool,
  asTool,
  type SessionTool,
  type ToolSourceFactory,
} from '@ai-agent/core';
import { actingModels, actingTool, type Reach } from './actors.ts';
import type { AgentSpec, WorldSpec } from './spec.ts';
import type { Stage } from './stage.ts';

export const agentNamed = (i: number) => `a${i}`;

/** The agent at the root. */
export function plant({ agents: specs, tools }: WorldSpec, stage: Stage): Agent {
  const executed = tools.map((tool, i) => actingTool(stage, `tool${i}`, tool));
  const agents = new Map<number, Agent>();
  const asTools = new Map<number, SessionTool>();
  const toolOf = (i: number) => {
    const tool = asTools.get(i) ?? toTool(stage, agents.get(i) as Agent, specs[i] as AgentSpec);
    asTools.set(i, tool);
    return tool;
  };
  for (const [i, spec] of [...specs.entries()].reverse()) {
    const children = distinct(spec.children, specs.length - i - 1).map((child) => i + 1 + child);
    const lazy = distinct(spec.lazy, specs.length).filter((other) => !children.includes(other));
    const own = distinct(spec.tools, tools.length);
    const source = toSource(stage, spec, () => lazy.map(toolOf));
    const reach = { children: children.map(nameOf), lazy: lazy.map(nameOf), tools: own.map((tool) => `tool${tool}`) };
    const offers = [...children.map(toolOf), ...own.flatMap((tool) => executed[tool] ?? [])];
    agents.set(i, {
      ...toAgent(stage, agentNamed(i), spec, reach),
      tools: lazy.length > 0 ? [...offers, source] : offers,
    });
  }
  return agents.get(0) as Agent;
}

/** The indexes as far as there are so many, each once. */
function distinct(indexes: readonly number[], length: number): readonly number[] {
  return length === 0 ? [] : [...new Set(indexes.map((index) => index % length))];
}

const nameOf = (i: number) => `agent__${agentNamed(i)}`;

function toAgent(stage: Stage, name: string, spec: AgentSpec, reach: Reach): Agent {
  const { limits, hold, ask, output, maxOutputTokens, budget } = spec;
  return {
    name,
    description: `does ${name}`,
    instructions: `You are ${name}.`,
    model: actingModels(stage, name, spec, reach),
    limits,
    hold,
    settings: { maxOutputTokens },
    ...(budget ? { budget } : {}),
    ...(ask === 'no' ? {} : { ask }),
    ...(output === 'json' ? { output: { format: 'json', schema: { type: 'object', required: ['ok'] } } } : {}),
  };
}

function toTool({ common: { clock } }: Stage, agent: Agent, { made }: AgentSpec): SessionTool {
  if (!made) return asTool(agent);
  const { timeoutMs, abortMs } = made;
  const createSession = () => {
    if (abortMs === undefined) return new AIAgentSession({ agent });
    const controller = new AbortController();
    clock.after(abortMs, () => controller.abort());
    return new AIAgentSession({ agent, signal: controller.signal });
  };
  const limit = timeoutMs === undefined ? {} : { timeoutMs };
  return agentTool({ name: agent.name, description: `makes ${agent.name}`, ...limit, createSession });
}

/** A source of each session's own: it has to be closed. */
function toSource(stage: Stage, { source }: AgentSpec, list: () => readonly SessionTool[]): ToolSourceFactory {
  const { clock } = stage.common;
  return () => {
    stage.sources++;
    return {
      async list() {
        if (source.latencyMs > 0) await new Promise<void>((resolve) => clock.after(source.latencyMs, resolve));
        if (source.fails) throw new TypeError('the source is broken');
        return list();
      },
      close() {
        stage.sources--;
      },
    };
  };
}
