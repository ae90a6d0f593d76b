// A person at a client of the official SDK, in either revision: agents are called as tools, and what is asked is answered here.

import type { Agent, Json } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { Client as NewerClient, StreamableHTTPClientTransport as NewerTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';
import { createApp, Hall, type HallOptions, type Keys, mcp } from '../../src/index.ts';

/** What a client is asked to show. */
export interface Shown {
  readonly message: string;
  readonly requestedSchema: {
    readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly required?: readonly string[];
  };
}

export interface Reply {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Record<string, string | number | boolean | string[]>;
}

/** What the person does with each form. */
export type Person = (shown: Shown, signal: AbortSignal) => Reply | Promise<Reply>;

export interface Called {
  readonly texts: readonly string[];
  readonly isError: boolean;
  readonly structured: Json | undefined;
  /** What is said for programs. */
  readonly outcome: {
    readonly status: string;
    readonly sessionId?: string;
    readonly resume?: string;
    readonly question?: { readonly text: string };
    readonly failure?: {
      readonly class: string;
      readonly code: string;
      readonly message: string;
      readonly remedy: string;
      readonly retryAfterMs?: number;
    };
  };
}

export interface ToolClient {
  call(name: string, args?: Record<string, unknown>, signal?: AbortSignal): Promise<Called>;
  readonly shown: readonly Shown[];
  close(): Promise<void>;
}

interface ClientOptions {
  /** @default nobody is there */
  readonly person?: Person;
  /** What it says that it can. @default to show forms, when there is a person */
  readonly capabilities?: Record<string, object>;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ToolHouse {
  readonly hall: Hall;
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  connect(options?: ClientOptions): Promise<ToolClient>;
}

interface HouseOptions extends Partial<Omit<HallOptions, 'agents'>> {
  readonly keys?: (clock: Hall['clock']) => Keys;
  readonly answerWithinMs?: number;
}

export const revisions = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof revisions)[number];

const address = new URL('http://localhost/mcp');

export function toolHouse(revision: Revision, agents: readonly Agent[], options: HouseOptions = {}): ToolHouse {
  const { keys, answerWithinMs, ...rest } = options;
  const served = agents.map((agent) => ({ name: agent.name, agent }));
  const hall = new Hall({ agents: () => served, ports: fakePorts(), ...rest });
  const headend = mcp(answerWithinMs === undefined ? {} : { answerWithinMs });
  const app = createApp(hall, [headend], keys ? { keys: keys(hall.clock) } : {});
  onTestFinished(() => headend.close?.());
  const fetch: ToolHouse['fetch'] = async (url, init) => app.request(String(url), init);
  return {
    hall,
    fetch,
    async connect(more = {}) {
      const client = await (revision === '2025-11-25' ? connectOlder : connectNewer)(fetch, more);
      onTestFinished(() => client.close());
      return client;
    },
  };
}

const info = { name: 'test', version: '1' };

async function connectOlder(fetch: ToolHouse['fetch'], options: ClientOptions): Promise<ToolClient> {
  const shown: Shown[] = [];
  const { capabilities, person } = settled(options);
  const client = new OlderClient(info, { capabilities });
  if (capabilities.elicitation)
    client.setRequestHandler(ElicitRequestSchema, async ({ params }, { signal }) => {
      shown.push(params as Shown);
      return { ...(await person(params as Shown, signal)) };
    });
  await client.connect(new OlderTransport(address, { fetch, requestInit: headersOf(options) }) as never);
  return {
    shown,
    async call(name, args = {}, signal) {
      return read(await client.callTool({ name, arguments: args }, undefined, signal ? { signal } : {}));
    },
    close: () => client.close(),
  };
}

async function connectNewer(fetch: ToolHouse['fetch'], options: ClientOptions): Promise<ToolClient> {
  const shown: Shown[] = [];
  const { capabilities, person } = settled(options);
  const client = new NewerClient(info, { capabilities, versionNegotiation: { mode: 'auto' } });
  if (capabilities.elicitation)
    client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => {
      shown.push(params as Shown);
      return { ...(await person(params as Shown, mcpReq.signal)) };
    });
  await client.connect(new NewerTransport(address, { fetch, requestInit: headersOf(options) }));
  return {
    shown,
    async call(name, args = {}, signal) {
      return read(await client.callTool({ name, arguments: args }, signal ? { signal } : {}));
    },
    close: () => client.close(),
  };
}

function settled({ person, capabilities }: ClientOptions): Required<Pick<ClientOptions, 'person' | 'capabilities'>> {
  return {
    capabilities: capabilities ?? (person ? { elicitation: {} } : {}),
    person: person ?? (() => ({ action: 'cancel' })),
  };
}

function headersOf({ key, headers = {} }: ClientOptions): { headers: Record<string, string> } {
  return { headers: key === undefined ? headers : { ...headers, authorization: `Bearer ${key}` } };
}

function read(result: object): Called {
  const { content, isError, structuredContent, _meta } = result as {
    readonly content: readonly { readonly text: string }[];
    readonly isError?: boolean;
    readonly structuredContent?: Json;
    readonly _meta: { readonly 'ai-agent/outcome': Called['outcome'] };
  };
  return {
    texts: content.map(({ text }) => text),
    isError: isError ?? false,
    structured: structuredContent,
    outcome: _meta['ai-agent/outcome'],
  };
}
