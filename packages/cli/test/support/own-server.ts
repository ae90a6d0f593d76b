// A server on this machine whose agents have that very server as a tool.

import { type Agent, restTool, type ToolOffer } from '@ai-agent/cli';
import { scriptedModel } from '@ai-agent/cli/testing';
import type { Outcome } from '@ai-agent/core';
import {
  createApp,
  Hall,
  type HallOptions,
  hashOf,
  type KeySettings,
  Keys,
  listen,
  rest,
  type SessionHead,
} from '@ai-agent/server';
import { onTestFinished } from 'vitest';
import { defaultPorts } from '../../src/platform.ts';

export interface OwnServer {
  readonly url: string;
  readonly port: number;
  readonly hall: Hall;
  /** What came of every session so far. */
  readonly ended: readonly { readonly head: SessionHead; readonly outcome: Outcome | undefined }[];
}

export interface OwnServerOptions extends Pick<HallOptions, 'places'> {
  readonly host?: string;
  /** What whoever shows `ownKey` may do; the agents show it too. @default there are no keys */
  readonly key?: Omit<KeySettings, 'hash'>;
}

export const ownKey = 'the key of everybody in this test';

/** Listens until the test is over. The agents know where. */
export async function ownServer(
  toAgents: (url: string) => readonly Agent[],
  { places = {}, host = '127.0.0.1', key }: OwnServerOptions = {},
): Promise<OwnServer> {
  let agents: readonly Agent[] = [];
  const ended: { head: SessionHead; outcome: Outcome | undefined }[] = [];
  const ports = defaultPorts();
  const hall = new Hall({
    agents: () => agents.map((agent) => ({ name: agent.name, agent })),
    ports,
    places,
    onEnd: (head, outcome) => ended.push({ head, outcome }),
    onBug: (error) => {
      throw error;
    },
  });
  const door = key ? { keys: new Keys({ own: { ...key, hash: hashOf(ownKey) } }, ports.clock) } : {};
  const { url, port, close } = await listen(createApp(hall, [rest()], door), { port: 0, host });
  agents = toAgents(url);
  onTestFinished(async () => {
    hall.cancelAll();
    await close();
  });
  return { url, port, hall, ended };
}

/** An agent that asks others over HTTP, all at once, and then says what each said, or why it did not: `a(b, server-full)`. */
export function caller(name: string, urls: readonly string[], more: Partial<Agent> = {}): Agent {
  const calls = urls.map((_, i) => ({ name: `rest__ask${i}`, input: { q: 'go' } }));
  const model = scriptedModel(({ messages }) => {
    const last = messages.at(-1);
    if (last?.role !== 'tool') return calls.length > 0 ? { calls } : name;
    return `${name}(${last.content.map(({ text }) => toWord(text)).join(', ')})`;
  });
  const headers = { 'x-api-key': ownKey };
  const tools = urls.map((url, i) =>
    restTool(`ask${i}`, { url: `${url}?q=\${parameters.q}`, headers, description: 'asks' }),
  );
  return { name, instructions: 'Ask.', model, tools: [...tools, ...(more.tools ?? [])] satisfies ToolOffer[], ...more };
}

/** A model reads the whole of it: what is wrong, and what to do. */
function toWord(text: string): string {
  return /^Failed .*"code":"([\w-]+)".*What to do:/s.exec(text)?.[1] ?? text.trim();
}
