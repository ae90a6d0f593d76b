// Plugins that are still at work when the answer is there: waited for, but not for long; what went wrong with them is said.

import { oneLine, type PluginWork, pluginTime } from '@ai-agent/core';
import { toPrintable } from '../../render/printable.ts';
import type { Terminal } from '../../terminal.ts';

export class PluginsAtWork {
  readonly #works: PluginWork[] = [];
  readonly #done = new Set<PluginWork>();

  readonly #printed = Promise.withResolvers<void>();

  /** The port of a session. */
  readonly port = (work: PluginWork): void => {
    work.startAfter(this.#printed.promise);
    this.#works.push(work);
    work.done.then(() => this.#done.add(work));
  };

  /** For when everything is printed: one that ends the process, or never lets go of it, must not cost the answer. */
  release(): void {
    this.#printed.resolve();
  }

  /** For when they are released. */
  async wait({ stderr }: Pick<Terminal, 'stderr'>, waitMs: number = pluginTime.waitMs): Promise<void> {
    if (!this.hasWork) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, waitMs);
    });
    const told = this.#works.map(async ({ done }) => {
      const problem = await done;
      if (problem !== undefined) stderr.write(`${oneLine(toPrintable(problem))}\n`);
    });
    await Promise.race([Promise.all(told), late]);
    clearTimeout(timer);
    for (const { plugin, agentName } of this.#unfinished())
      stderr.write(`The plugin ${plugin} of ${agentName} is not done, and is not waited for any longer.\n`);
  }

  get hasWork(): boolean {
    return this.#works.length > 0;
  }

  /** What a plugin left behind does not keep the process; that is over when nobody else needs it. */
  leave(waitMs: number = pluginTime.waitMs): void {
    if (this.hasWork) setTimeout(() => process.exit(), this.#unfinished().length > 0 ? 0 : waitMs).unref();
  }

  #unfinished(): readonly PluginWork[] {
    return this.#works.filter((work) => !this.#done.has(work));
  }
}
