// The agents of one load, as they are served: what they share is closed when the last run of a load that was replaced has ended.

import { cacheFolderOf, type LoadedAgent } from '@ai-agent/agents';
import type { Ports } from '@ai-agent/core';
import type { ServedAgent } from '@ai-agent/server';
import { homeFolder } from '../../assemble.ts';
import { type KeptAnswers, keepAnswers } from '../../kept-answers.ts';
import type { Found } from '../find-agents.ts';

export class Generation {
  readonly agents: readonly ServedAgent[];
  readonly found: Found;
  readonly #closed = Promise.withResolvers<void>();
  #held = 0;
  #isRetired = false;

  constructor(found: Found, shared: SharedPorts) {
    this.found = found;
    this.agents = found.registry.agents.map((loaded) => this.#toServed(loaded, shared));
  }

  /** Settles when nothing of it is needed any more, and its servers have ended. */
  retire(): Promise<void> {
    this.#isRetired = true;
    this.#closeWhenFree();
    return this.#closed.promise;
  }

  /** Whoever still holds it. */
  close(): Promise<void> {
    return this.found.close();
  }

  #toServed(loaded: LoadedAgent, { answers, plugins }: SharedPorts): ServedAgent {
    const { name, agent, file, usage, session, fillPrompt, template } = loaded;
    const cache = answers.of(loaded);
    const heard: SharedPorts['plugins'] = (work) => {
      // It may ask an agent of this load.
      void work.done.then(this.#hold());
      return plugins(work);
    };
    return {
      name,
      agent,
      source: file,
      usage,
      fillPrompt,
      template,
      session: { envOverlay: session.envOverlay, ports: { ...session.ports, cache, plugins: heard } },
      hold: () => this.#hold(),
    };
  }

  #hold(): () => void {
    this.#held++;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#held--;
      this.#closeWhenFree();
    };
  }

  #closeWhenFree(): void {
    if (this.#isRetired && this.#held === 0) this.close().then(this.#closed.resolve, this.#closed.reject);
  }
}

/** What every load is given. */
export interface SharedPorts {
  readonly answers: Answers;
  readonly plugins: NonNullable<Ports['plugins']>;
}

/** Answers that may be given again, of the whole process: agents that keep them in one folder share them. */
export class Answers {
  readonly #byFolder = new Map<string, KeptAnswers>();

  of({ configuration }: Pick<LoadedAgent, 'configuration'>): KeptAnswers {
    const options = cacheFolderOf(configuration, homeFolder());
    const key = JSON.stringify(options ?? null);
    const kept = this.#byFolder.get(key) ?? keepAnswers(options);
    this.#byFolder.set(key, kept);
    return kept;
  }

  /** Why some of them could not be kept, each reason once. */
  async settled(): Promise<readonly string[]> {
    const all = await Promise.all([...this.#byFolder.values()].map((one) => one.settled()));
    return [...new Set(all.flatMap((unkept) => (unkept ? [`${unkept.message} ${unkept.remedy}`] : [])))];
  }
}
