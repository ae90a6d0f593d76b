// Agents as models of Anthropic's API, in memory: every reply and every event is held against its schema.

import type { Agent } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { expect } from 'vitest';
import {
  type AnthropicOptions,
  type AppOptions,
  anthropic,
  createApp,
  Hall,
  type HallOptions,
  type ServedAgent,
} from '../../src/index.ts';
import { type Shape, shapeFaults } from './anthropic-schemas.ts';
import { parseEvents } from './sse-events.ts';

type Body = Readonly<Record<string, unknown>>;

/** What was JSON, read. */
export type Read = ReturnType<typeof JSON.parse>;

export interface AnthropicApp {
  readonly hall: Hall;
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Asks `agent` for a message, unless the body says another. */
  post(body: Body, headers?: Record<string, string>): Promise<Response>;
  message(body: Body, headers?: Record<string, string>): Promise<Read>;
  /** The events of the same, streamed. */
  events(body: Body): Promise<readonly Read[]>;
  /** Of a refusal: status, type of the error, and the words. */
  refusal(body: Body): Promise<readonly [number, string, string]>;
}

interface Options extends Partial<Omit<HallOptions, 'agents'>> {
  readonly headend?: AnthropicOptions;
  readonly app?: AppOptions;
}

export const version = { 'anthropic-version': '2023-06-01' } as const;

export function anthropicApp(
  agents: readonly (Agent | ServedAgent)[],
  { headend, app: door, ...options }: Options = {},
): AnthropicApp {
  const served = agents.map((one) => ('agent' in one ? one : { name: one.name, agent: one }));
  const hall = new Hall({ agents: () => served, ports: fakePorts(), ...options });
  const app = createApp(hall, [anthropic(headend)], door);
  const request = async (path: string, init: RequestInit = {}) => app.request(path, init);
  const post: AnthropicApp['post'] = (body, headers = {}) =>
    request('/v1/messages', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...version, ...headers },
      body: JSON.stringify({ model: served[0]?.name, max_tokens: 100, ...body }),
    });
  return {
    hall,
    request,
    post,
    async message(body, headers) {
      const response = await post(body, headers);
      const said: Read = await response.json();
      expect(response.status, JSON.stringify(said)).toBe(200);
      expect(shapeFaults('message', said)).toEqual([]);
      return said;
    },
    async events(body) {
      const response = await post({ ...body, stream: true });
      expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
      return eventsIn(response);
    },
    refusal: async (body) => refusalIn(await post(body)),
  };
}

export async function eventsIn(response: Response): Promise<readonly Read[]> {
  const events: Read[] = [];
  for await (const { event, data } of parseEvents(response.body as unknown as AsyncIterable<Uint8Array>)) {
    expect(data.type).toBe(event);
    expect(shapeFaults(event as Shape, data)).toEqual([]);
    events.push(data);
  }
  return events;
}

export async function refusalIn(response: Response): Promise<readonly [number, string, string]> {
  const body: Read = await response.json();
  expect(shapeFaults('error', body)).toEqual([]);
  return [response.status, body.error.type, body.error.message];
}
