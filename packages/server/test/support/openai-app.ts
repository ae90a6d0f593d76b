// Agents as models of OpenAI's API in memory, for tests of what it takes and gives; every reply is held against the schemas.

import type { Agent, ModelRequest } from '@ai-agent/core';
import { fakePorts, type ScriptedModel } from '@ai-agent/core/testing';
import { expect } from 'vitest';
import { createApp, type DoorOptions, Hall, type HallOptions, type OpenaiOptions, openai } from '../../src/index.ts';
import { chunk, complaintsAbout, completion, openaiError } from './openai-chat-schemas.ts';

// What was JSON, read.
type Read = ReturnType<typeof JSON.parse>;

export interface OpenaiApp {
  readonly app: ReturnType<typeof createApp>;
  readonly hall: Hall;
  /** Of a request that is answered: the completion. */
  complete(body: object): Promise<Read>;
  /** Of a request that is streamed: every event; the last is `[DONE]`, or an error. */
  stream(body: object): Promise<readonly Read[]>;
  /** Of a request that is refused. */
  refused(body: unknown, headers?: Record<string, string>): Promise<Refused>;
}

export interface Refused {
  readonly status: number;
  readonly headers: Headers;
  readonly error: Read;
}

interface Options extends Partial<Omit<HallOptions, 'agents'>> {
  readonly door?: DoorOptions;
  readonly openai?: OpenaiOptions;
}

export function openaiApp(agents: readonly Agent[], { door = {}, openai: more, ...options }: Options = {}): OpenaiApp {
  const served = agents.map((agent) => ({ name: agent.name, agent }));
  const hall = new Hall({ agents: () => served, ports: fakePorts(), ...options });
  const app = createApp(hall, [openai(more)], door);
  const post = async (body: unknown, headers: Record<string, string> = {}) =>
    app.request('/v1/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  return {
    app,
    hall,
    async complete(body) {
      const response = await post(body);
      const read: Read = await response.json();
      expect([response.status, read]).toEqual([200, expect.anything()]);
      expect(complaintsAbout(completion, read)).toEqual([]);
      return read;
    },
    async stream(body) {
      const response = await post({ ...body, stream: true });
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'text/event-stream; charset=utf-8',
      ]);
      const events = readEvents(await response.text());
      for (const event of events)
        if (event !== '[DONE]') expect(complaintsAbout(event.error ? openaiError : chunk, event)).toEqual([]);
      return events;
    },
    refused: async (body, headers) => readRefusal(await post(body, headers)),
  };
}

export async function readRefusal(response: Response): Promise<Refused> {
  const read: Read = await response.json();
  expect(complaintsAbout(openaiError, read)).toEqual([]);
  return { status: response.status, headers: response.headers, error: read.error };
}

/** Nothing but data, each in one line, but for comments. */
export function readEvents(text: string): readonly Read[] {
  const blocks = text.split('\n\n');
  expect(blocks.pop()).toBe('');
  return blocks
    .filter((block) => !block.startsWith(':'))
    .map((block) => {
      expect(block).toMatch(/^data: .+$/);
      const data = block.slice('data: '.length);
      return data === '[DONE]' ? data : JSON.parse(data);
    });
}

export function ask(model: string, content: unknown = 'Go.'): { model: string; messages: readonly object[] } {
  return { model, messages: [{ role: 'user', content }] };
}

export function requestsOf({ model }: Agent): readonly ModelRequest[] {
  return (model as ScriptedModel).requests;
}
