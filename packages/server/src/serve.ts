// Agents as an API inside somebody's program: a function from requests to responses, and a server around it.

import { type Agent, AgentError, type Outcome, type Ports } from '@ai-agent/core';
import { createApp } from './app.ts';
import { Hall } from './hall.ts';
import { rest } from './headends/rest/rest.ts';
import { listen } from './listen.ts';
import { reservedNames, type ServedAgent } from './served-agent.ts';
import type { SessionHead, SessionStore } from './session-store.ts';

export interface ApiOptions {
  /** What `loadAgent` gives, agents in code, or both. A function is asked at every request. */
  readonly agents: Served | (() => Served);
  /** Runs at once. From 1. @default 10 */
  readonly concurrency?: number;
  /** Requests that wait for a place; more are turned away with 503. From 0. @default 100 */
  readonly waiting?: number;
  /** Where sessions are kept. @default in memory: the last 1000 that ended, 64 MB */
  readonly store?: SessionStore;
  /** In the place of those of this process. @default its clock, random ids, and offline/demo */
  readonly ports?: Partial<Ports>;
  /** Told what came of every session; no outcome when it never began. @default nobody */
  readonly onEnd?: (head: SessionHead, outcome: Outcome | undefined) => void;
  /** Told what nobody foresaw: clients learn nothing of it. @default nobody */
  readonly onBug?: (error: unknown) => void;
}

export type Served = readonly (Agent | ServedAgent)[];

export interface Api {
  /** Fits wherever requests and responses of the web are taken. It needs no `this`. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** No new runs; those that run get this long, then they are cancelled. Settles when all have ended. @default 10 s */
  readonly stop: (graceMs?: number) => Promise<void>;
}

export interface ServeOptions extends ApiOptions {
  /** 0 for any that is free. @default 8080 */
  readonly port?: number;
  /** The address to listen on. @default 127.0.0.1, this machine alone */
  readonly host?: string;
}

export interface Serving {
  readonly url: string;
  readonly port: number;
  /** As of an `Api`; then takes no more connections, and settles when all are closed. */
  readonly stop: (graceMs?: number) => Promise<void>;
}

export const defaultGraceMs = 10_000;

/** Throws `name-reserved` and `name-taken`. */
export function createApi(options: ApiOptions & { readonly ports: Ports }): Api {
  const { concurrency, waiting, store, ports, onEnd, onBug } = options;
  const places = {
    ...(concurrency === undefined ? {} : { running: concurrency }),
    ...(waiting === undefined ? {} : { waiting }),
  };
  const hall = new Hall({
    agents: toAgents(options.agents),
    ports,
    places: { rest: places },
    ...(store ? { store } : {}),
    ...(onEnd ? { onEnd } : {}),
    ...(onBug ? { onBug } : {}),
  });
  const app = createApp(hall, [rest()]);
  return {
    fetch: async (request) => app.fetch(request),
    async stop(graceMs = defaultGraceMs) {
      await hall.stop(graceMs);
    },
  };
}

export async function serveAgents(options: ServeOptions & { readonly ports: Ports }): Promise<Serving> {
  const { port, host } = options;
  const api = createApi(options);
  const listening = await listen(api, {
    ...(port === undefined ? {} : { port }),
    ...(host === undefined ? {} : { host }),
  });
  return {
    url: listening.url,
    port: listening.port,
    async stop(graceMs) {
      await api.stop(graceMs);
      await listening.close();
    },
  };
}

function toAgents(agents: ApiOptions['agents']): () => readonly ServedAgent[] {
  if (typeof agents === 'function') return () => agents().map(toServed);
  const served = agents.map(toServed);
  checkNames(served);
  return () => served;
}

function toServed(one: Agent | ServedAgent): ServedAgent {
  return 'agent' in one ? one : { name: one.toolName ?? one.name, agent: one, usage: one.usage };
}

function checkNames(agents: readonly ServedAgent[]): void {
  const seen = new Set<string>();
  for (const { name } of agents) {
    if (reservedNames.includes(name))
      throw new AgentError('name-reserved', `An agent cannot be served as ${name}: /v1/${name} is something else.`);
    if (seen.has(name)) throw new AgentError('name-taken', `Two agents are called ${name}.`);
    seen.add(name);
  }
}
