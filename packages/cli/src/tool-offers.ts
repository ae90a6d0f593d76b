// Tools from outside for embedders: an entry of a configuration, said in code.

import { AgentError, nearest, type ToolOffer, toMatcher } from '@ai-agent/core';
import type {
  McpServerConfig,
  OpenapiSpecConfig,
  QueueSize,
  RestToolConfig,
  SetUpProblem,
  ToolEntry,
} from '@ai-agent/tools';
import { ownToolset } from './own-toolset.ts';

export interface OutsideToolOptions {
  /** Where relative paths of it begin. @default the process's folder */
  readonly cwd?: string;
  /** Which of its tools, by the names that models see; globs too. @default all */
  readonly tools?: readonly string[];
  /** How many calls at once and in a minute, by the name in its `queue`. @default what every process has */
  readonly queues?: Readonly<Record<string, QueueSize>>;
  /** The home of the user: signing in is kept in `.ai-agent` there. @default in memory alone */
  readonly homeFolder?: string;
}

/**
 * The tools of an MCP server. What an entry may say is in docs/tools.md; `${NAME}` in it is filled in from the `envOverlay` of each
 * session. What is wrong with it is told when a session opens.
 */
export function mcpServer(name: string, config: McpServerConfig, options?: OutsideToolOptions): ToolOffer {
  return toOffer({ section: 'mcpServers', name, config: { ...config } }, options);
}

/** One HTTP call as a tool. */
export function restTool(name: string, config: RestToolConfig, options?: OutsideToolOptions): ToolOffer {
  return toOffer({ section: 'restTools', name, config: { ...config } }, options);
}

/** The operations of an OpenAPI document as tools. */
export function openapiSpec(name: string, config: OpenapiSpecConfig, options?: OutsideToolOptions): ToolOffer {
  return toOffer({ section: 'openapiSpecs', name, config: { ...config } }, options);
}

/** What talks to servers is loaded when a session opens. */
function toOffer(entry: ToolEntry, options: OutsideToolOptions = {}): ToolOffer {
  const { cwd = process.cwd(), tools = ['*'], queues = {}, homeFolder } = options;
  const matches = toMatcher(tools);
  const setUp = {
    ...entry,
    folder: cwd,
    isWanted: (names: readonly string[]) => names.some(matches),
    named: tools.filter((name) => !/[*?]/.test(name)),
    queues: new Map(Object.entries(queues)),
  };
  return (context) => {
    const opening = ownToolset(cwd, homeFolder).then(async (toolset) => {
      const { entryKeys } = await import('@ai-agent/tools');
      const wrong = wrongIn(entry, { known: entryKeys[entry.section], queues: Object.keys(queues) });
      const first = wrong ?? toolset.check(entry).find(({ severity }) => severity === 'error');
      if (first) throw complaint(entry, first);
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

type Wrong = Pick<SetUpProblem, 'path' | 'message'>;

interface Known {
  readonly known: readonly string[];
  readonly queues: readonly string[];
}

/** What a file would be warned of, or could not even say: in code nobody reads warnings. */
function wrongIn({ section, name, config }: ToolEntry, { known, queues }: Known): Wrong | undefined {
  if (section === 'mcpServers' && !/^[A-Za-z0-9_-]+$/.test(name))
    return { path: [], message: 'the name must be letters, digits, _ and - alone' };
  const key = Object.keys(config).find((one) => !known.includes(one));
  if (key !== undefined) return { path: [key], message: `is not known; ${meantBy(key, known)}` };
  const { queue = 'default' } = config;
  const names = [...queues, 'default'];
  if (typeof queue !== 'string' || queue.includes('${') || names.includes(queue)) return undefined;
  return { path: ['queue'], message: `there is no queue ${queue} in options.queues; ${meantBy(queue, names)}` };
}

function meantBy(word: string, known: readonly string[]): string {
  const close = nearest(word, known);
  return close === undefined ? `known are ${known.join(', ')}` : `did you mean ${close}?`;
}

function complaint({ section, name }: ToolEntry, { path, message }: Wrong): AgentError {
  return new AgentError('config-invalid', `${[section, name, ...path].join('.')}: ${message}`, {
    remedy: 'Correct what the tool was given.',
  });
}
