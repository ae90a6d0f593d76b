// The tools of one server for one session: connected to when it opens, let go when it ends.

import { createHash } from 'node:crypto';
import {
  AgentError,
  isObject,
  type JsonSchema,
  oneLine,
  type SourceContext,
  type ToolDefinition,
  type ToolQueue,
  type ToolSource,
  type ToolSourceFactory,
} from '@ai-agent/core';
import { mayBeOurselves } from '../calling.ts';
import { chooseTools } from '../choose-tools.ts';
import { fill } from '../fill.ts';
import type { QueueSize, ToolSetUp } from '../set-up.ts';
import type { Surroundings } from '../surroundings.ts';
import { Calls } from './calls.ts';
import { toElicit } from './elicitation.ts';
import { exposedName, toFilter } from './filter.ts';
import type { Answers, Lease, LeaseOptions, McpTool } from './link.ts';
import { toSample } from './sampling.ts';
import { secretsIn } from './secrets-in.ts';
import { readServerConfig, type ServerConfig } from './server-config.ts';
import { type Server, toInstructions, toTool } from './to-tool.ts';
import { whoseLogins } from './whose-logins.ts';

export interface McpSourceOptions {
  readonly connections: { lease(server: ServerConfig, options: LeaseOptions): Promise<Lease> };
  readonly queues: { queue(name: string | undefined, sizes: ReadonlyMap<string, QueueSize>): ToolQueue };
  readonly surroundings: Pick<Surroundings, 'cwd' | 'serverEnv' | 'tokens'>;
}

export function mcpSource(setUp: ToolSetUp, options: McpSourceOptions): ToolSourceFactory {
  return () => new McpSource(setUp, options);
}

class McpSource implements ToolSource {
  readonly #setUp: ToolSetUp;
  readonly #options: McpSourceOptions;
  readonly #calls = new Calls();
  #lease: Promise<Lease> | undefined;
  readonly #ending = new AbortController();
  /** That is spoken with the server, once it is connected to. */
  protocolVersion: string | undefined;

  constructor(setUp: ToolSetUp, options: McpSourceOptions) {
    this.#setUp = setUp;
    this.#options = options;
  }

  async list(context: SourceContext): Promise<readonly ToolDefinition[]> {
    const { name, config, folder } = this.#setUp;
    const { serverEnv } = this.#options.surroundings;
    const filled = withHome(fill(config, context.env), serverEnv.HOME ?? serverEnv.USERPROFILE);
    for (const secret of secretsIn(config, filled, context.env)) context.hide(secret);
    const server = readServerConfig(name, filled, folder);
    if (!server.isEnabled) return [];
    const answers = this.#answers(server, filled, context);
    const signal = AbortSignal.any([context.signal, this.#ending.signal]);
    const { link } = await this.#connect(server, { answers, signal, hide: context.hide });
    const listed = await link.tools(signal);
    this.protocolVersion = link.protocolVersion;
    const shared: Server = {
      link,
      calls: this.#calls,
      listed,
      instructions: toInstructions(link),
      elicit: answers.elicit,
      ...(mayBeOurselves(server) ? {} : { queue: this.#options.queues.queue(server.queue, this.#setUp.queues) }),
      cachingOf: toCaching(server, filled, this.#apart(server)),
      schemaOf: toSchemas(filled),
      ...(server.requestTimeoutMs === undefined ? {} : { timeoutMs: server.requestTimeoutMs }),
    };
    return this.#wanted(listed, server).map((tool) => toTool(tool, shared));
  }

  async close(): Promise<void> {
    // Another source of the session may have failed at once: this one need not come to its end.
    this.#ending.abort(new AgentError('cancelled', `The server ${this.#setUp.name} is not needed any more.`));
    const lease = await this.#lease?.catch(() => undefined);
    this.#lease = undefined;
    await lease?.release();
  }

  #connect(server: ServerConfig, options: LeaseOptions): Promise<Lease> {
    this.#lease ??= this.#options.connections.lease(server, options);
    return this.#lease;
  }

  /** What this server may ask of this session, and whom it tells what it logs. */
  #answers(
    { name, mayElicit, maySample, isShared, roots }: ServerConfig,
    filled: Filled,
    context: SourceContext,
  ): Answers {
    const calls = this.#calls;
    const isSharedOnPurpose = isShared && filled.shared !== undefined && filled.shared !== null;
    const asked = {
      ...(context.isAttended && mayElicit && !isSharedOnPurpose ? { elicit: toElicit(name, calls) } : {}),
      ...(maySample ? { sample: toSample(name, calls) } : {}),
      ...(roots.length > 0 ? { roots } : {}),
    };
    // What a shared server logs may be about the call of another session.
    if (isShared && Object.keys(asked).length === 0) return asked;
    return { ...asked, log: (level, text) => calls.current?.progress(`${level}: ${oneLine(text).slice(0, 500)}`) };
  }

  /** What keeps answers apart beside the settings. */
  #apart({ type, cwd }: ServerConfig): readonly string[] {
    const { folder } = this.#setUp;
    const { surroundings } = this.#options;
    // A program answers for the folder it runs in.
    return [folder, type === 'stdio' ? (cwd ?? surroundings.cwd) : whoseLogins(surroundings)];
  }

  #wanted(listed: readonly McpTool[], { name: server, toolsAllowed, toolsDenied }: ServerConfig): readonly McpTool[] {
    const isOffered = toFilter(server, { toolsDenied, ...(toolsAllowed ? { toolsAllowed } : {}) });
    if (listed.length > 0 && !listed.some(({ name: tool }) => isOffered(tool))) throw nothingLeft(server, listed);
    const seen = new Set<string>();
    const offered = listed.filter(({ name: tool, execution }) => {
      // What can only be called as a task cannot be called here; what is listed twice is one.
      if (execution?.taskSupport === 'required' || seen.has(tool) || !isOffered(tool)) return false;
      seen.add(tool);
      return true;
    });
    return chooseTools(this.#setUp, offered, ({ name: tool }) => exposedName(server, tool));
  }
}

const mostNames = 20;

/** An agent never goes on without its tools in silence. */
function nothingLeft(server: string, listed: readonly McpTool[]): AgentError {
  const names = listed.slice(0, mostNames).map(({ name }) => oneLine(name).slice(0, 100));
  const more = listed.length > mostNames ? ', …' : '';
  const message = `What mcpServers.${server} allows and denies leaves none of its ${listed.length} tools: ${names.join(', ')}${more}.`;
  return new AgentError('tool-source-failed', message, {
    class: 'config',
    remedy: `Correct toolsAllowed or toolsDenied of mcpServers.${server}, or take the server away from the agent.`,
  });
}

type Filled = Readonly<Record<string, unknown>>;

/** `~` is the home of whoever runs this. */
function withHome(config: Filled, home: string | undefined): Filled {
  const { roots } = config;
  if (home === undefined || roots === undefined || roots === null) return config;
  const expand = (root: unknown) => (typeof root === 'string' ? root.replace(/^~(?=$|[/\\])/, () => home) : root);
  return { ...config, roots: [roots].flat().map(expand) };
}

/**
 * By tool, whatever the case of its name; the server's own otherwise, for tools that say of themselves that they only look:
 * what changes something must not be left undone because it was done before.
 */
function toCaching(
  { name, cacheMs, toolsCacheMs }: ServerConfig,
  filled: Filled,
  apart: readonly string[],
): Server['cachingOf'] {
  const byTool = new Map([...toolsCacheMs].map(([tool, ttlMs]) => [tool.toLowerCase(), ttlMs]));
  const { cache: _, toolsCache: __, ...settings } = filled;
  let key: string | undefined;
  return ({ name: tool, annotations }) => {
    const named = tool.toLowerCase();
    const ofServer = annotations?.readOnlyHint === true ? cacheMs : undefined;
    const ttlMs = byTool.has(named) ? byTool.get(named) : ofServer;
    if (ttlMs === undefined) return undefined;
    key ??= createHash('sha256')
      .update(JSON.stringify([name, apart, settings]))
      .digest('hex');
    return { key, ttlMs };
  };
}

function toSchemas({ toolSchemas }: Filled): Server['schemaOf'] {
  if (!isObject(toolSchemas)) return () => undefined;
  const byTool = new Map(Object.entries(toolSchemas).map(([tool, schema]) => [tool.toLowerCase(), schema]));
  return (tool) => {
    const schema = byTool.get(tool.toLowerCase());
    return isObject(schema) ? (schema as JsonSchema) : undefined;
  };
}
