// A server with keys for tests: in memory, on a clock that stands still, with keys that are called after themselves.

import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { Agent, Ports } from '@ai-agent/core';
import { FakeClock, fakePorts, type Script, scriptedModel } from '@ai-agent/core/testing';
import { onTestFinished } from 'vitest';
import {
  createApp,
  type DoorOptions,
  Hall,
  hashOf,
  type KeySettings,
  Keys,
  listen,
  mcp,
  rest,
  type ServedAgent,
  type SessionStore,
} from '../../src/index.ts';

export interface GovernedOptions extends Omit<DoorOptions, 'keys'> {
  /** By name; what is shown for each is `secretOf(name)`. @default no keys at all */
  readonly keys?: Readonly<Record<string, Omit<KeySettings, 'hash'>>>;
  readonly agents?: readonly (Agent | ServedAgent)[];
  readonly places?: { readonly running?: number; readonly waiting?: number };
  readonly ports?: Partial<Ports>;
  readonly store?: SessionStore;
}

/** As long as a real one. */
export function secretOf(name: string): string {
  return `aia_the-key-of-${name}-0123456789abcdef0123456789`;
}

export function as(name: string, headers: Readonly<Record<string, string>> = {}): RequestInit {
  return { headers: { authorization: `Bearer ${secretOf(name)}`, ...headers } };
}

export function governed(options: GovernedOptions = {}) {
  const { keys, agents = [agentOf('echo')], places = {}, ports, store, ...door } = options;
  const clock = new FakeClock(Date.UTC(2026, 0, 31, 23, 30));
  const hall = new Hall({
    agents: () => agents.map((one) => ('agent' in one ? one : { name: one.name, agent: one })),
    ports: fakePorts({ clock, ...ports }),
    places: { rest: places },
    ...(store ? { store } : {}),
  });
  const settings = Object.entries(keys ?? {}).map(([name, key]) => [name, { ...key, hash: hashOf(secretOf(name)) }]);
  const held = keys ? { keys: new Keys(Object.fromEntries(settings), clock) } : {};
  const app = createApp(hall, [rest(), mcp()], { ...door, ...held });
  const ask = (key: string, agent = 'echo', q = 'hello') => app.request(`/v1/${agent}?q=${q}`, as(key));
  return { app, hall, clock, ask };
}

export function agentOf(name: string, script: Script = () => `I am ${name}.`): Agent {
  return { name, instructions: 'Answer.', model: scriptedModel(script) };
}

/** Answers when it is told to, as often as it is asked. */
export function heldAgent(name: string) {
  const waiting: (() => void)[] = [];
  const script: Script = () => {
    const held = Promise.withResolvers<void>();
    waiting.push(held.resolve);
    return { text: `I am ${name}.`, until: held.promise };
  };
  return { agent: agentOf(name, script), started: () => waiting.length, release: () => waiting.shift()?.() };
}

export async function onSocket(options: GovernedOptions = {}) {
  const { app, hall, clock } = governed(options);
  const listening = await listen(app, { port: 0 });
  onTestFinished(() => listening.close());
  return { ...listening, hall, clock };
}

interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** With any header, also those that browsers and fetch set by themselves. */
export function send(
  url: string,
  headers: Readonly<Record<string, string | readonly string[]>>,
  method = 'GET',
): Promise<Got> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(url, { method, headers: headers as Record<string, string>, agent: false });
    outgoing.once('error', reject);
    outgoing.once('response', async (incoming) => {
      let text = '';
      for await (const chunk of incoming) text += chunk;
      resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text });
    });
    outgoing.end();
  });
}
