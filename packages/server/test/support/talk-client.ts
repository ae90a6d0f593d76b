// A client that takes an agent for a model: it keeps the conversation, runs the calls that are for it, and speaks chat completions.

import type { Agent, ClientToolSpec, Message, ModelRequest, PauseStore } from '@ai-agent/core';
import { FakeClock, fakePorts } from '@ai-agent/core/testing';
import { expect } from 'vitest';
import { createApp, Hall, type HallOptions, hashOf, Keys, openai } from '../../src/index.ts';
import { readEvents } from './openai-app.ts';

// What was JSON, read.
type Read = ReturnType<typeof JSON.parse>;
type App = ReturnType<typeof createApp>;

export interface TalkHouse {
  readonly app: App;
  readonly hall: Hall;
  readonly clock: FakeClock;
  readonly pauses: WatchedPauses;
}

/** A server in memory. With the keys `one` and `two`, when they are wanted. */
export function talkHouse(
  agents: readonly Agent[],
  options: Partial<HallOptions> & { keys?: boolean } = {},
): TalkHouse {
  const { keys: hasKeys = false, ...more } = options;
  const clock = new FakeClock();
  const served = agents.map((agent) => ({ name: agent.name, agent }));
  const hall = new Hall({ agents: () => served, ports: fakePorts({ clock }), ...more });
  const pauses = watch(hall.ports.pauses as PauseStore);
  const settings = { one: { hash: hashOf('key-one') }, two: { hash: hashOf('key-two') } };
  const app = createApp(hall, [openai()], hasKeys ? { keys: new Keys(settings, clock) } : {});
  return { app, hall, clock, pauses };
}

export interface WatchedPauses extends PauseStore {
  /** Of all that wait. */
  readonly handles: ReadonlySet<string>;
}

/** Knows what waits in a house, wherever it keeps that. */
function watch(pauses: PauseStore): WatchedPauses {
  const handles = new Set<string>();
  const put = pauses.put.bind(pauses);
  const remove = pauses.delete.bind(pauses);
  return Object.assign(pauses, {
    handles,
    put(...args: Parameters<PauseStore['put']>) {
      handles.add(args[0]);
      return put(...args);
    },
    delete(handle: string) {
      handles.delete(handle);
      return remove(handle);
    },
  });
}

export interface TalkReply {
  readonly text: string;
  readonly reasoning: string;
  readonly finish: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: Read }[];
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number };
  readonly about: {
    readonly session_id: string;
    readonly status: string;
    readonly usage: Read;
    readonly limit?: string;
  };
  readonly error?: Read;
}

export interface TalkClientOptions {
  readonly tools?: readonly ClientToolSpec[];
  readonly system?: string;
  readonly isStream?: boolean;
  /** The one it shows: `one`, `two`. @default none */
  readonly key?: string;
  /** Whatever else is sent. */
  readonly more?: object;
}

export class TalkClient {
  readonly #app: App;
  readonly #agent: string;
  readonly #options: TalkClientOptions;
  readonly said: Read[];
  last: TalkReply | undefined;

  constructor(app: App, agent: string, options: TalkClientOptions = {}, said: readonly Read[] = []) {
    this.#app = app;
    this.#agent = agent;
    this.#options = options;
    this.said = [...said];
  }

  /** The same conversation, told by another, to another, or elsewhere. */
  elsewhere(other: { app?: App; agent?: string } & TalkClientOptions = {}): TalkClient {
    const { app = this.#app, agent = this.#agent, ...options } = other;
    const client = new TalkClient(app, agent, { ...this.#options, ...options }, this.said);
    client.last = this.last;
    return client;
  }

  say(content: unknown): Promise<TalkReply> {
    this.said.push({ role: 'user', content });
    return this.send();
  }

  /** What came of each call, in their order; then perhaps something to say. */
  bring(results: readonly unknown[], say?: string): Promise<TalkReply> {
    const calls = this.last?.calls ?? [];
    expect(results).toHaveLength(calls.length);
    this.said.push(...calls.map(({ id }, i) => ({ role: 'tool', tool_call_id: id, content: results[i] })));
    if (say !== undefined) this.said.push({ role: 'user', content: say });
    return this.send();
  }

  async send(signal?: AbortSignal): Promise<TalkReply> {
    const reply = await this.#read(await this.post(signal));
    this.last = reply;
    const calls = reply.calls.map(({ id, name, input }) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    }));
    if (reply.error === undefined)
      this.said.push({
        role: 'assistant',
        content: reply.text === '' ? null : reply.text,
        ...(calls.length > 0 ? { tool_calls: calls } : {}),
      });
    return reply;
  }

  /** Without reading what comes. */
  async post(signal?: AbortSignal): Promise<Response> {
    const { tools = [], system, isStream = false, key, more = {} } = this.#options;
    const first = system === undefined ? [] : [{ role: 'system', content: system }];
    const body = {
      model: this.#agent,
      messages: [...first, ...this.said],
      ...(isStream ? { stream: true, stream_options: { include_usage: true } } : {}),
      ...(tools.length > 0 ? { tools: tools.map(toFunction) } : {}),
      ...more,
    };
    return this.#app.request('/v1/chat/completions', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key === undefined ? {} : { authorization: `Bearer key-${key}` }),
      },
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    });
  }

  async #read(response: Response): Promise<TalkReply> {
    if (response.headers.get('content-type')?.startsWith('text/event-stream'))
      return fromEvents(readEvents(await response.text()));
    const body: Read = await response.json();
    if (response.status >= 400) return { ...nothing, error: body.error };
    const [{ message, finish_reason: finish }] = body.choices;
    return {
      text: message.content ?? '',
      reasoning: message.reasoning_content ?? '',
      finish,
      calls: (message.tool_calls ?? []).map(toCall),
      usage: body.usage,
      about: body.ai_agent,
    };
  }
}

function toFunction({ name, description, inputSchema }: ClientToolSpec): object {
  return { type: 'function', function: { name, description, parameters: inputSchema } };
}

function toCall({ id, function: { name, arguments: input } }: Read): TalkReply['calls'][number] {
  return { id, name, input: JSON.parse(input) };
}

const nothing: TalkReply = {
  text: '',
  reasoning: '',
  finish: '',
  calls: [],
  usage: { prompt_tokens: 0, completion_tokens: 0 },
  about: { session_id: '', status: '', usage: {} },
};

function fromEvents(events: readonly Read[]): TalkReply {
  const failed = events.find(({ error }) => error);
  if (failed) return { ...nothing, error: failed.error };
  expect(events.at(-1)).toBe('[DONE]');
  const last = events.at(-2);
  const deltas: readonly Read[] = events.slice(0, -1).flatMap(({ choices }) => choices);
  const join = (field: string) => deltas.map(({ delta }) => delta[field] ?? '').join('');
  const parts = deltas.flatMap(({ delta }) => delta.tool_calls ?? []);
  const calls = parts
    .filter(({ id }) => id)
    .map(({ index, id, function: { name } }) => {
      const input = parts.filter((one) => one.index === index).map((one) => one.function.arguments);
      return toCall({ id, function: { name, arguments: input.join('') } });
    });
  const finish = deltas.find((one) => one.finish_reason)?.finish_reason;
  return {
    text: join('content'),
    reasoning: join('reasoning_content'),
    finish,
    calls,
    usage: last.usage,
    about: last.ai_agent,
  };
}

export function clientToolOf(name: string): ClientToolSpec {
  return { name, description: `does ${name} at the client`, inputSchema: { type: 'object', properties: {} } };
}

/** A conversation in short: who, and what was said, called, or came of it. */
export function linesOf({ messages }: Pick<ModelRequest, 'messages'>): readonly string[] {
  return messages.flatMap((message: Message): readonly string[] => {
    if (message.role === 'system') return [`system ${message.text}`];
    return message.content.map((part) => {
      if (part.type === 'tool-call') return `calls ${part.name}`;
      if (part.type === 'tool-result') return `${part.isError ? 'error' : 'result'} ${part.name} ${part.text}`;
      return part.type === 'file' ? `file ${part.mediaType}` : `${message.role} ${part.text}`;
    });
  });
}
