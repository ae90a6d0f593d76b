// Chats in memory, for tests of what embed clients are told.

import type { Agent } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { type AppOptions, createApp, type EmbedOptions, embed, Hall, type HallOptions, rest } from '../../src/index.ts';
import { parseEvents, type ReadEvent } from './sse-events.ts';

interface Options extends EmbedOptions, AppOptions {
  readonly hall?: Partial<HallOptions>;
}

export function embedApp(agents: readonly Agent[], { maxBodyBytes, profile, hall: more, ...door }: Options = {}) {
  const served = agents.map((agent) => ({ name: agent.name, agent }));
  const hall = new Hall({ agents: () => served, ports: fakePorts(), ...more });
  const options = { ...(maxBodyBytes === undefined ? {} : { maxBodyBytes }), ...(profile ? { profile } : {}) };
  const app = createApp(hall, profile ? [embed(options)] : [rest(), embed(options)], door);
  const send = async (body: object | string, init: RequestInit = {}) =>
    app.request('/v1/chat', {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...init,
      headers: { 'content-type': 'application/json', ...(init.headers as Record<string, string>) },
    });
  const chat = async (body: object, init?: RequestInit) => readAll(await send(body, init));
  return { app, hall, send, chat };
}

async function readAll(response: Response): Promise<readonly ReadEvent[]> {
  const events: ReadEvent[] = [];
  for await (const event of parseEvents(response.body as unknown as AsyncIterable<Uint8Array>)) events.push(event);
  return events;
}

export function dataOf(events: readonly ReadEvent[], event: string): Record<string, unknown> {
  return events.findLast((one) => one.event === event)?.data ?? {};
}

export function reportOf(events: readonly ReadEvent[]): string {
  return events.flatMap(({ event, data }) => (event === 'report' ? [data.chunk] : [])).join('');
}
