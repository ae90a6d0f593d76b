// Tools from outside for embedders: an entry of a configuration, said in code.

import { AgentError, type ModelRef, type ToolOffer, toMatcher } from '@ai-agent/core';
import type { QueueSize, ToolSection } from '@ai-agent/tools';
import { ownToolset } from './own-toolset.ts';

export interface OutsideToolOptions {
  /** Where relative paths of it begin. @default the process's folder */
  readonly cwd?: string;
  /** Which of its tools, by the names that models see; globs too. @default all */
  readonly tools?: readonly string[];
  /** Models that a server may ask, where its `sampling` is true. @default none */
  readonly models?: readonly ModelRef[];
  /** How many calls at once and in a minute, by the name in its `queue`. @default what every process has */
  readonly queues?: Readonly<Record<string, QueueSize>>;
  /** The home of the user: signing in is kept in `.ai-agent` there. @default in memory alone */
  readonly homeFolder?: string;
}

/** What an entry may say is in docs/tools.md. `${NAME}` in it is filled in from the `envOverlay` of each session. */
export type OutsideConfig = Readonly<Record<string, unknown>>;

/** The tools of an MCP server. What is wrong with it is told when a session opens. */
export function mcpServer(name: string, config: OutsideConfig, options?: OutsideToolOptions): ToolOffer {
  return toOffer({ section: 'mcpServers', name, config }, options);
}

/** One HTTP call as a tool. */
export function restTool(name: string, config: OutsideConfig, options?: OutsideToolOptions): ToolOffer {
  return toOffer({ section: 'restTools', name, config }, options);
}

/** The operations of an OpenAPI document as tools. */
export function openapiSpec(name: string, config: OutsideConfig, options?: OutsideToolOptions): ToolOffer {
  return toOffer({ section: 'openapiSpecs', name, config }, options);
}

interface Entry {
  readonly section: ToolSection;
  readonly name: string;
  readonly config: OutsideConfig;
}

/** What talks to servers is loaded when a session opens. */
function toOffer(entry: Entry, options: OutsideToolOptions = {}): ToolOffer {
  const { cwd = process.cwd(), tools = ['*'], models = [], queues = {}, homeFolder } = options;
  const matches = toMatcher(tools);
  const setUp = {
    ...entry,
    folder: cwd,
    isWanted: (names: readonly string[]) => names.some(matches),
    named: tools.filter((name) => !/[*?]/.test(name)),
    models,
    queues: new Map(Object.entries(queues)),
  };
  return (context) => {
    const opening = ownToolset(cwd, homeFolder).then((toolset) => {
      const wrong = toolset.check(entry).find(({ severity }) => severity === 'error');
      if (wrong) {
        const where = [entry.section, entry.name, ...wrong.path].join('.');
        throw new AgentError('config-invalid', `${where}: ${wrong.message}`, {
          remedy: 'Correct what the tool was given.',
        });
      }
      return toolset.open(setUp)(context);
    });
    // Told by whoever lists.
    opening.catch(() => {});
    return {
      list: async (given) => (await opening).list(given),
      close: async () => (await opening.catch(() => undefined))?.close?.(),
    };
  };
}
