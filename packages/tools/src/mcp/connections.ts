// Every connection of the process: sessions that mean the same server share one, others have their own.

import { AgentError } from '@ai-agent/core';
import type { Surroundings } from '../surroundings.ts';
import { Connection } from './connection.ts';
import type { Answers, Lease, LeaseOptions } from './link.ts';
import { Network } from './network.ts';
import type { ServerConfig } from './server-config.ts';
import { keyOfSettings } from './settings-key.ts';
import { Starts } from './starts.ts';
import { ProcessGroups } from './transports/process-groups.ts';

/** How long a process waits for the next who needs it: a sub-agent is often called again at once. */
const lingerMs = 5_000;

interface Held {
  readonly connection: Connection;
  readonly server: ServerConfig;
  /** Nothing when it belongs to one session. */
  readonly key: string | undefined;
  users: number;
  linger: NodeJS.Timeout | undefined;
}

export class Connections {
  readonly #surroundings: Surroundings;
  readonly #network: Network;
  readonly #groups = new ProcessGroups();
  readonly #starts: Starts;
  readonly #shared = new Map<string, Held>();
  readonly #open = new Set<Held>();
  readonly #closing = new Set<Promise<void>>();
  #isClosed = false;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
    this.#network = new Network(surroundings);
    this.#starts = new Starts(surroundings.startsAtOnce ?? Number.POSITIVE_INFINITY);
  }

  /** Connects when nobody is connected yet. Throws `tool-source-failed`, or what the signal says. */
  async lease(server: ServerConfig, { answers = {}, signal, hide }: LeaseOptions): Promise<Lease> {
    signal.throwIfAborted();
    if (this.#isClosed) throw new AgentError('cancelled', `The server ${server.name} was asked for after the end.`);
    const held = this.#hold(server, answers);
    const { connection } = held;
    const undo = [connection.listen(answers), hide ? connection.hideFrom(hide) : () => {}];
    let isReleased = false;
    const release = async () => {
      if (isReleased) return;
      isReleased = true;
      for (const back of undo) back();
      await this.#leave(held);
    };
    try {
      await connection.open(signal);
    } catch (error) {
      void release();
      throw error;
    }
    return { link: connection, release };
  }

  /** Ends every connection, and every process that was started for one. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const held of [...this.#open]) this.#end(held);
    await Promise.all(this.#closing);
    await Promise.all([this.#groups.allGone(), this.#network.close()]);
  }

  #hold(server: ServerConfig, answers: Answers): Held {
    const isOwn = !server.isShared || Boolean(answers.elicit ?? answers.sample ?? answers.roots);
    const key = isOwn ? undefined : keyOfSettings(server);
    const found = key === undefined ? undefined : this.#shared.get(key);
    const held = found ?? this.#add(server, answers, key);
    clearTimeout(held.linger);
    held.linger = undefined;
    held.users++;
    held.connection.hold();
    return held;
  }

  #add(server: ServerConfig, answers: Answers, key: string | undefined): Held {
    const surroundings = this.#surroundings;
    const route = server.type === 'stdio' ? undefined : this.#network.open(server);
    const connection = new Connection({
      server,
      surroundings,
      groups: this.#groups,
      route,
      // What is logged everybody may hear; what is asked, one session answers.
      answers: key === undefined ? answers : {},
      enterStart: this.#starts.enter,
    });
    const held: Held = { connection, server, key, users: 0, linger: undefined };
    this.#open.add(held);
    if (key !== undefined) this.#shared.set(key, held);
    return held;
  }

  async #leave(held: Held): Promise<void> {
    held.users--;
    if (held.users > 0 || !this.#open.has(held)) return;
    const { connection, server, key } = held;
    if (key === undefined || server.type !== 'stdio' || !connection.isOpen) {
      await this.#end(held);
      return;
    }
    connection.letGo();
    held.linger = setTimeout(() => this.#end(held), lingerMs);
    held.linger.unref();
  }

  #end(held: Held): Promise<void> {
    clearTimeout(held.linger);
    this.#open.delete(held);
    if (held.key !== undefined && this.#shared.get(held.key) === held) this.#shared.delete(held.key);
    const closing = held.connection.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
    return closing;
  }
}
