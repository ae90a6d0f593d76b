// Everything that is set up outside, as sources of tools. One of these is the whole process's: sessions share its connections.

import {
  type EnvOverlay,
  isAgentError,
  type SourceContext,
  type Tool,
  type ToolSource,
  type ToolSourceFactory,
} from '@ai-agent/core';
import { fill } from './fill.ts';
import { checkServerConfig } from './mcp/check-server-config.ts';
import { readServerConfig } from './mcp/server-config.ts';
import { findStartProblem } from './mcp/start-check.ts';
import { checkOpenapiConfig } from './openapi/openapi-config.ts';
import { Queues } from './queues.ts';
import { checkRestConfig } from './rest/rest-config.ts';
import type { SetUpProblem, StartProblem, ToolSection, ToolSetUp } from './set-up.ts';
import type { Surroundings } from './surroundings.ts';

export type ToolEntry = Pick<ToolSetUp, 'section' | 'name' | 'config'>;

export interface Toolset {
  /** What is wrong with an entry, whatever the variables are. */
  check(entry: ToolEntry): readonly SetUpProblem[];
  /** Why a server of it cannot start on this machine, with the variables of a session. Starts nothing. */
  startProblem(
    setUp: Pick<ToolSetUp, 'section' | 'name' | 'config' | 'folder'>,
    env: EnvOverlay,
  ): StartProblem | undefined;
  /** Its tools: for each session anew, connected to when the session opens. */
  open(setUp: ToolSetUp): ToolSourceFactory;
  /** Ends every connection, and every process that was started for one. */
  close(): Promise<void>;
}

export function createToolset(surroundings: Surroundings): Toolset {
  return new OpenToolset(surroundings);
}

const checks: Readonly<Record<ToolSection, (entry: ToolEntry) => readonly SetUpProblem[]>> = {
  mcpServers: checkServerConfig,
  restTools: checkRestConfig,
  openapiSpecs: checkOpenapiConfig,
};

class OpenToolset implements Toolset {
  readonly #surroundings: Surroundings;
  readonly #queues: Queues;
  #connections: Promise<Connections> | undefined;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
    this.#queues = surroundings.queues ?? new Queues(surroundings.clock);
  }

  check(entry: ToolEntry): readonly SetUpProblem[] {
    return checks[entry.section](entry);
  }

  startProblem({ section, name, config, folder }: ToolSetUp, env: EnvOverlay): StartProblem | undefined {
    if (section !== 'mcpServers') return undefined;
    try {
      return findStartProblem(readServerConfig(name, fill(config, env), folder), this.#surroundings);
    } catch (error) {
      // The value of a variable may not fit: the session that fills it in says so.
      if (isAgentError(error)) return undefined;
      throw error;
    }
  }

  open(setUp: ToolSetUp): ToolSourceFactory {
    return (context) => new LaterSource(async () => (await this.#sourceOf(setUp))(context));
  }

  async close(): Promise<void> {
    const connections = await this.#connections?.catch(() => undefined);
    await connections?.close();
  }

  /** What talks to servers is loaded by the first session that has some. */
  async #sourceOf(setUp: ToolSetUp): Promise<ToolSourceFactory> {
    const parts = { queues: this.#queues, surroundings: this.#surroundings };
    switch (setUp.section) {
      case 'restTools':
        return (await import('./rest/rest-source.ts')).restSource(setUp, parts);
      case 'openapiSpecs':
        return (await import('./openapi/openapi-source.ts')).openapiSource(setUp, parts);
      case 'mcpServers': {
        const { mcpSource } = await import('./mcp/mcp-source.ts');
        this.#connections ??= import('./mcp/connections.ts').then((one) => new one.Connections(this.#surroundings));
        return mcpSource(setUp, { ...parts, connections: await this.#connections });
      }
    }
  }
}

type Connections = import('./mcp/connections.ts').Connections;

/** A source that knows more of itself than a session asks for. */
export interface OutsideSource extends ToolSource {
  /** Of a server: the version of the protocol that is spoken with it, once it has listed its tools. */
  readonly protocolVersion?: string | undefined;
}

/** A source whose code is not there yet. */
class LaterSource implements OutsideSource {
  readonly #load: () => Promise<ToolSource>;
  #source: Promise<ToolSource> | undefined;
  protocolVersion: string | undefined;

  constructor(load: () => Promise<ToolSource>) {
    this.#load = load;
  }

  async list(context: SourceContext): Promise<readonly Tool[]> {
    this.#source ??= this.#load();
    const source: OutsideSource = await this.#source;
    const tools = await source.list(context);
    this.protocolVersion = source.protocolVersion;
    return tools;
  }

  async close(): Promise<void> {
    const source = await this.#source?.catch(() => undefined);
    await source?.close?.();
  }
}
