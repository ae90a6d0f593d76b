// Tools from outside, watched while they are asked for: whom we wait for, what came of it, and whose a tool is.

import { type Failure, type SourceContext, type Tool, type ToolSource, toFailure, toSafeName } from '@ai-agent/core';
import type { ToolSection, ToolSetUp, Toolset } from '@ai-agent/tools';

/** An entry of a configuration, and the tools that it brought. */
export interface Asked {
  readonly section: ToolSection;
  readonly name: string;
  readonly config: ToolSetUp['config'];
  readonly tools: readonly Tool[];
  /** What it could have brought, whatever the agent wants of it: each by all of its names. */
  readonly offered: readonly (readonly string[])[];
  /** Why it brought none. */
  readonly failure?: Failure;
}

export interface WatchOptions {
  /** Whether the others go on without one that cannot be asked. @default false: it is in nobody's list, and so it fails */
  readonly mayFail?: boolean;
}

export class WatchedTools {
  readonly #options: WatchOptions;
  readonly #waiting = new Map<object, string>();
  readonly #asked: Asked[] = [];
  /** What sources have said that nobody may see. */
  readonly secrets = new Set<string>();

  constructor(options: WatchOptions = {}) {
    this.#options = options;
  }

  /** `starting github, memory…`: those that have not answered yet, each once; empty when there is none. */
  readonly inWords = (): string => {
    const names = [...new Set(this.#waiting.values())];
    return names.length === 0 ? '' : `starting ${names.join(', ')}…`;
  };

  /** What came of those that have, in the order of their answers. */
  get asked(): readonly Asked[] {
    return this.#asked;
  }

  /** Whose tool this is, by the name that models see. */
  ownerOf(toolName: string): { readonly asked: Asked; readonly tool: Tool } | undefined {
    for (const asked of this.#asked) {
      const tool = asked.tools.find(({ name }) => toSafeName(name) === toolName);
      if (tool) return { asked, tool };
    }
    return undefined;
  }

  /** The same tools, watched. */
  watch(toolset: Toolset): Toolset {
    return {
      check: (entry) => toolset.check(entry),
      startProblem: (setUp, env) => toolset.startProblem(setUp, env),
      open: (setUp) => (opening) => this.#watchSource(setUp, (seen) => toolset.open(seen)(opening)),
      close: () => toolset.close(),
    };
  }

  #hide(secret: string, { hide }: SourceContext): void {
    this.secrets.add(secret);
    hide(secret);
  }

  #watchSource(setUp: ToolSetUp, open: (setUp: ToolSetUp) => ToolSource): ToolSource {
    const { section, name, config } = setUp;
    const offered: (readonly string[])[] = [];
    const isWanted = (names: readonly string[]) => {
      offered.push(names);
      return setUp.isWanted(names);
    };
    const source = open({ ...setUp, isWanted });
    return {
      list: async (context) => {
        const asking = {};
        this.#waiting.set(asking, name);
        try {
          const tools = await source.list({ ...context, hide: (secret) => this.#hide(secret, context) });
          this.#asked.push({ section, name, config, tools, offered });
          return tools;
        } catch (error) {
          const failure = toFailure(error, 'tool-source-failed');
          this.#asked.push({ section, name, config, tools: [], offered, failure });
          if (!this.#options.mayFail || context.signal.aborted) throw error;
          return [];
        } finally {
          this.#waiting.delete(asking);
        }
      },
      close: () => source.close?.(),
    };
  }
}

/** An entry as people call it. */
export function wordsFor(section: ToolSection, name: string): string {
  if (section === 'mcpServers') return `server ${name}`;
  return section === 'restTools' ? `REST ${name}` : `OpenAPI ${name}`;
}
