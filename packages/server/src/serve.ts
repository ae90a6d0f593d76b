// Agents as an API inside somebody's program: a function from requests to responses, and a server around it.

import type { SessionHead, SessionStore } from '@ai-agent/core';
import { type Agent, AgentError, checkDepth, type Outcome, type Ports, toSafeName } from '@ai-agent/core';
import { createApp, type Headend } from './app.ts';
import { checkApiOptions, checkServeOptions } from './check-options.ts';
import { isLoopback } from './exposure.ts';
import { toErrorResponse, toSafeFailure } from './failure-status.ts';
import { Hall } from './hall.ts';
import { anthropic } from './headends/anthropic/anthropic.ts';
import { embed } from './headends/embed/embed.ts';
import { mcp } from './headends/mcp/mcp.ts';
import { openai } from './headends/openai/openai.ts';
import { rest } from './headends/rest/rest.ts';
import { site } from './headends/site/site.ts';
import type { Site } from './headends/site/site-files.ts';
import { type KeySettings, Keys } from './keys.ts';
import { listen, listenDefaults } from './listen.ts';
import { reservedNames, type ServedAgent } from './served-agent.ts';

export interface ApiOptions {
  /** What `loadAgent` gives, agents in code, or both. A function is asked at every request. */
  readonly agents: Served | (() => Served);
  /** Who may ask, by the names of their keys. @default everybody */
  readonly keys?: Readonly<Record<string, KeySettings>>;
  /** Origins of pages that may use it from a browser: `https://app.example`; or `*`, with keys alone. @default none */
  readonly cors?: readonly string[];
  /** Names under which it is known; without keys, requests to others are refused. @default those of this machine to itself */
  readonly hosts?: readonly string[];
  /** Runs at once, of each headend. From 1. @default 10 */
  readonly concurrency?: number;
  /** Runs that wait for a place, of each headend; more are turned away with 503. From 0. @default 100 */
  readonly waiting?: number;
  /** What the body of a request may come to. From 1. @default 1 MiB; 32 MiB where files may come: of those who take agents for models, and of who starts sessions */
  readonly maxBodyBytes?: number;
  /** Whether clients of the Model Context Protocol are offered the instructions of agents as prompts. @default true */
  readonly mcpPrompts?: boolean;
  /** Whether whoever takes an agent for a model is told what goes on inside, among the reasoning; a request may say otherwise. @default false */
  readonly showActivity?: boolean;
  /** Whether the page for people is at `/`. @default true */
  readonly page?: boolean;
  /** Where sessions are kept. @default in memory: the last 1000 that ended, 64 MiB of them */
  readonly store?: SessionStore;
  /** In the place of those of this process. @default its clock, random ids, and offline/demo */
  readonly ports?: Partial<Ports>;
  /** Told what came of every session, by the headend of this round; no outcome when it never began. @default nobody */
  readonly onEnd?: (head: SessionHead, outcome: Outcome | undefined, headend: string) => void;
  /** Told what nobody foresaw: clients learn nothing of it. @default nobody */
  readonly onBug?: (error: unknown) => void;
}

export type Served = readonly (Agent | ServedAgent)[];

export interface Api {
  /** Fits wherever requests and responses of the web are taken. It needs no `this`. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** No new runs; those that run get this long, then they are cancelled. Settles when all have ended, or soon after. @default 30 seconds */
  readonly stop: (graceMs?: number) => Promise<void>;
}

export interface ServeOptions extends ApiOptions {
  /** From 0, which is any that is free, to 65535. @default 8080 */
  readonly port?: number;
  /** The address to listen on; beyond this machine only with keys, or `isOpen`. @default 127.0.0.1 */
  readonly host?: string;
  /** Whether everybody who can reach it may ask, also from other machines and without a key. @default false */
  readonly isOpen?: boolean;
}

export interface Serving {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** As of an `Api`; then takes no more connections, and settles when all are closed. @default 30 seconds */
  readonly stop: (graceMs?: number) => Promise<void>;
}

/** What whoever embeds it need not hand in. */
interface WithPorts {
  readonly ports: Ports;
  /** The page for people. @default there is none, wherever somebody wants it */
  readonly site?: Site | undefined;
}

export const defaultGraceMs = 30_000;

/** For replies whose runs have ended: they are on their way. */
const lastRepliesMs = 5_000;

/** Throws `name-reserved` and `name-taken`, and `config-invalid` for what cannot be meant. */
export function createApi(options: ApiOptions & WithPorts): Api {
  const { site: _, ...given } = options;
  checkApiOptions(given);
  return toApi(options, undefined);
}

/** Throws what `createApi` throws, `config-invalid` for who would let in strangers, and `listen-refused`. */
export async function serveAgents(options: ServeOptions & WithPorts): Promise<Serving> {
  const { site: _, ...given } = options;
  checkServeOptions(given);
  const { port = listenDefaults.port, host = listenDefaults.host, keys, isOpen = false, onBug = () => {} } = options;
  if (!keys && !isOpen && !isLoopback(host))
    throw new AgentError('config-invalid', `${host} is reached from other machines, and there are no keys.`, {
      remedy: 'Hand in keys, listen on 127.0.0.1, or say isOpen if everybody may use every agent.',
    });
  const api = toApi(options, host);
  const listening = await listen(api, { host, port, onBug });
  return {
    url: listening.url,
    port: listening.port,
    async stop(graceMs) {
      listening.drain();
      await api.stop(graceMs);
      await listening.close(lastRepliesMs);
    },
  };
}

function toApi(options: ApiOptions & WithPorts, host: string | undefined): Api {
  const { keys, cors, hosts, concurrency, waiting, ports } = options;
  const places = given({ running: concurrency, waiting });
  const hall = new Hall({
    ...given({ store: options.store, onEnd: options.onEnd, onBug: options.onBug }),
    agents: toAgents(options.agents),
    ports,
    places: { rest: places, mcp: places, embed: places, openai: places, anthropic: places },
  });
  const door = { cors, hosts, host, keys: keys && new Keys(keys, ports.clock) };
  const headends = toHeadends(options);
  const app = createApp(hall, headends, door);
  return {
    async fetch(request) {
      try {
        return await app.fetch(request);
      } catch (error) {
        // What was thrown is not even an error.
        hall.onBug(error);
        return toErrorResponse(toSafeFailure(error));
      }
    },
    async stop(graceMs = defaultGraceMs) {
      await hall.stop(graceMs);
      await Promise.allSettled(headends.map((headend) => headend.close?.()));
    },
  };
}

function toHeadends({
  maxBodyBytes,
  mcpPrompts: prompts,
  showActivity: showsActivity,
  page = true,
  site: files,
}: ApiOptions & WithPorts): readonly Headend[] {
  const models = given({ maxBodyBytes, showsActivity });
  return [
    ...(page && files ? [site(files)] : []),
    rest({ ...given({ maxBodyBytes }), hasModels: true }),
    mcp(given({ maxBodyBytes, prompts })),
    embed(given({ maxBodyBytes })),
    openai(models),
    anthropic(models),
  ];
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** What was said, so that a default stands for the rest. */
function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
}

function toAgents(agents: ApiOptions['agents']): () => readonly ServedAgent[] {
  if (typeof agents === 'function') return () => agents().map(toServed);
  const served = agents.map(toServed);
  checkNames(served);
  for (const { agent } of served) checkDepth(agent);
  return () => served;
}

function toServed(one: Agent | ServedAgent): ServedAgent {
  return 'agent' in one ? one : { name: one.toolName ?? one.name, agent: one };
}

function checkNames(agents: readonly ServedAgent[]): void {
  const seen = new Map<string, string>();
  for (const { name } of agents) {
    if (reservedNames.includes(name))
      throw new AgentError('name-reserved', `No agent is served as ${name}: /v1/${name} is something else.`);
    const safe = toSafeName(name);
    const other = seen.get(safe);
    if (other === name) throw new AgentError('name-taken', `Two agents are called ${name}.`);
    if (other !== undefined)
      throw new AgentError('name-taken', `${other} and ${name} are both ${safe} as tools of MCP.`, {
        remedy: 'Rename one of the two.',
      });
    seen.set(safe, name);
  }
}
