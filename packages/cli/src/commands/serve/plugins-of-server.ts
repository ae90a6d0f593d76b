// Plugins of runs that came through a server: they work when the reply is out, and hold up nobody.

import type { PluginWork } from '@ai-agent/core';

/** For the reply to be on its way. */
const startsInMs = 20;

export class PluginsOfServer {
  readonly #working = new Set<PluginWork>();
  readonly #tell: (problem: string) => void;

  constructor(tell: (problem: string) => void) {
    this.#tell = tell;
  }

  /** The port of all sessions. */
  readonly port = (work: PluginWork): void => {
    this.#working.add(work);
    work.startAfter(new Promise((resolve) => setTimeout(resolve, startsInMs)));
    work.done.then((problem) => {
      this.#working.delete(work);
      if (problem !== undefined) this.#tell(problem);
    });
  };

  /** For those that are at work, but not for long. */
  async wait(waitMs: number): Promise<void> {
    if (this.#working.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, waitMs);
    });
    await Promise.race([Promise.all([...this.#working].map(({ done }) => done)), late]);
    clearTimeout(timer);
    for (const { plugin, agentName } of this.#working)
      this.#tell(`The plugin ${plugin} of ${agentName} is not done, and is not waited for any longer.`);
  }
}
