// Servers and APIs that agents name, asked before they run: each once, for the tools it has.

import { type NamedTools, type Problem, Problems, withoutRepeats } from '@ai-agent/agents';
import { type Failure, type SourceContext, toFailure, toSafeName } from '@ai-agent/core';
import type { OutsideSource, ToolSection, Toolset } from '@ai-agent/tools';

/** What came of asking one. */
export interface AskedTools {
  readonly kind: 'server' | 'rest' | 'openapi';
  readonly name: string;
  /** The configuration that it stands in: two may have one of the same name. */
  readonly file: string;
  readonly ms: number;
  /** How many it has, whatever the agents want of them. */
  readonly tools?: number;
  /** Of a server: the version of the protocol that it speaks with us. */
  readonly protocolVersion?: string;
  /** Their names, each with the one that models see. */
  readonly offered?: readonly (readonly string[])[];
  readonly failure?: Failure;
}

const kinds: Readonly<Record<ToolSection, AskedTools['kind']>> = {
  mcpServers: 'server',
  restTools: 'rest',
  openapiSpecs: 'openapi',
};

export interface Asking {
  readonly toolset: () => Promise<Toolset>;
  readonly signal: AbortSignal;
  /** A monotonic reading in milliseconds. */
  readonly now: () => number;
}

/** One answer for each, in their order. What several agents name with the same settings is asked once. */
export function askTools(named: readonly NamedTools[], asking: Asking): Promise<readonly AskedTools[]> {
  const asked = new Map<string, Promise<AskedTools>>();
  return Promise.all(
    named.map((one) => {
      const { section, name, config, folder, env } = one;
      const key = JSON.stringify([section, name, config, folder, env]);
      const answer = asked.get(key) ?? askOne(one, asking);
      asked.set(key, answer);
      return answer;
    }),
  );
}

/** What is wrong with documents on this machine: they are read, and nobody is asked. */
export async function inspectTools(
  named: readonly NamedTools[],
  { toolset, signal }: Omit<Asking, 'now'>,
): Promise<readonly Problem[]> {
  const problems = new Problems();
  for (const one of named.filter(({ section }) => section === 'openapiSpecs')) {
    const context: SourceContext = { env: one.env, signal, isAttended: false, hide() {} };
    const source = (await toolset()).open(one)(context);
    try {
      await source.list(context);
    } catch (error) {
      signal.throwIfAborted();
      const { code, message, remedy } = toFailure(error, 'tool-source-failed');
      problems.add('error', { code, place: one.setUpPlace, message, remedy });
    } finally {
      await source.close?.();
    }
  }
  return withoutRepeats(problems.all);
}

async function askOne(named: NamedTools, { toolset, signal, now }: Asking): Promise<AskedTools> {
  const { section, name, env, setUpPlace } = named;
  const { file } = setUpPlace;
  const startedAt = now();
  const told = (rest: Partial<AskedTools>) => ({
    kind: kinds[section],
    name,
    file,
    ms: Math.round(now() - startedAt),
    ...rest,
  });
  const context: SourceContext = { env, signal, isAttended: false, hide() {} };
  try {
    const source: OutsideSource = (await toolset()).open({ ...named, isWanted: () => true, named: [] })(context);
    try {
      const tools = await source.list(context);
      const offered = tools.map((tool) => [tool.name, toSafeName(tool.name)]);
      const { protocolVersion } = source;
      return told({ tools: tools.length, offered, ...(protocolVersion === undefined ? {} : { protocolVersion }) });
    } finally {
      await source.close?.();
    }
  } catch (error) {
    signal.throwIfAborted();
    return told({ failure: toFailure(error, 'tool-source-failed') });
  }
}
