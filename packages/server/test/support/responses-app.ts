// Responses of agents in memory, for tests of what they take and give; everything that is given is held against the schemas.

import type { Agent } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { expect } from 'vitest';
import { createApp, type DoorOptions, Hall, type HallOptions, openai } from '../../src/index.ts';
import { type Refused, readRefusal } from './openai-app.ts';
import { complaintsAboutEvent, complaintsAboutResponse } from './responses-schemas.ts';

// What was JSON, read.
type Read = ReturnType<typeof JSON.parse>;

type Headers = Readonly<Record<string, string>>;

export interface ResponsesApp {
  readonly hall: Hall;
  readonly app: ReturnType<typeof createApp>;
  request(
    method: string,
    path: string,
    more?: { readonly body?: unknown; readonly headers?: Headers },
  ): Promise<Response>;
  /** Of a request that is answered: the response. */
  respond(body: object, headers?: Headers): Promise<Read>;
  /** Of a request that is streamed: every event before the end. */
  stream(body: object, headers?: Headers): Promise<readonly Read[]>;
  /** Of a request that is refused. */
  refused(body: unknown, headers?: Headers): Promise<Refused>;
}

interface Options extends Partial<Omit<HallOptions, 'agents'>> {
  readonly door?: DoorOptions;
}

export function responsesApp(agents: readonly Agent[], { door = {}, ...options }: Options = {}): ResponsesApp {
  const served = agents.map((agent) => ({ name: agent.name, agent }));
  const hall = new Hall({ agents: () => served, ports: fakePorts(), ...options });
  const app = createApp(hall, [openai()], door);
  const request: ResponsesApp['request'] = async (method, path, { body, headers = {} } = {}) =>
    app.request(path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  const post = (body: unknown, headers: Headers = {}) => request('POST', '/v1/responses', { body, headers });
  return {
    hall,
    app,
    request,
    async respond(body, headers) {
      const reply = await post(body, headers);
      const read: Read = await reply.json();
      expect([reply.status, read]).toEqual([200, expect.anything()]);
      expect(complaintsAboutResponse(read)).toEqual([]);
      return read;
    },
    async stream(body, headers) {
      const reply = await post({ ...body, stream: true }, headers);
      expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
      return readResponseEvents(await reply.text());
    },
    refused: async (body, headers) => readRefusal(await post(body, headers)),
  };
}

/** Each named as its type says, numbered from 0, and after all of them the end. */
export function readResponseEvents(text: string): readonly Read[] {
  const blocks = text.split('\n\n');
  expect(blocks.splice(-2)).toEqual(['data: [DONE]', '']);
  return blocks.map((block, number) => {
    const [, name, data = ''] = /^event: (\S+)\ndata: (.+)$/.exec(block) ?? [];
    const event: Read = JSON.parse(data);
    expect([name, event.sequence_number]).toEqual([event.type, number]);
    expect(complaintsAboutEvent(event)).toEqual([]);
    return event;
  });
}

/** The types of events, those that are alike after each other once. */
export function typesOf(events: readonly Read[]): readonly string[] {
  const types = events.map(({ type }) => String(type).replace(/^response\./, ''));
  return types.filter((type, at) => type !== types[at - 1]);
}
