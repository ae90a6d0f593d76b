// Clients of the Model Context Protocol as others use them: each is an SDK that speaks one revision, seen through what tests ask of all.

import type { Json, JsonObject } from '@ai-agent/core';
import { Client as NewerClient, type Transport as NewerTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport as OlderTransport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

export interface McpClient {
  /** The revision that was agreed on. */
  readonly revision: string;
  listTools(): Promise<readonly ListedTool[]>;
  callTool(name: string, args: JsonObject, signal?: AbortSignal): Promise<ToolResult>;
  /** Their addresses, as listed. */
  listResources(): Promise<readonly string[]>;
  readResource(uri: string): Promise<string>;
  close(): Promise<void>;
}

export interface ListedTool {
  readonly name: string;
  readonly outputSchema?: unknown;
}

export interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: Json;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A form that the person at the client fills in. */
export interface Form {
  readonly message: string;
  readonly requestedSchema: { readonly properties: Readonly<Record<string, unknown>> };
}

export type Filled = { readonly action: 'accept'; readonly content: Record<string, string | boolean> };

/** Without it, the client says that it cannot ask anybody. */
export type Elicit = (form: Form) => Promise<Filled>;

export type Sdk = '1.x' | '2.x';

export interface ClientKind {
  readonly name: string;
  /** Whose transports it takes. */
  readonly sdk: Sdk;
  connect(transport: unknown, elicit?: Elicit): Promise<McpClient>;
}

const info = { name: 'contract', version: '1.0.0' };

// Long enough for a busy machine: what waits for a person waits for the test.
const timeout = 60_000;

const older: ClientKind = {
  name: 'SDK 1.x',
  sdk: '1.x',
  async connect(given, elicit) {
    const transport = given as OlderTransport;
    const client = new OlderClient(info, { capabilities: elicit ? { elicitation: { form: {} } } : {} });
    if (elicit) client.setRequestHandler(ElicitRequestSchema, ({ params }) => elicit(params as Form));
    let revision = '';
    const setRevision = transport.setProtocolVersion?.bind(transport);
    transport.setProtocolVersion = (version) => {
      revision = version;
      setRevision?.(version);
    };
    await client.connect(transport);
    return {
      revision,
      listTools: async () => (await client.listTools()).tools,
      callTool: async (name, args, signal) =>
        (await client.callTool({ name, arguments: args }, CallToolResultSchema, {
          timeout,
          ...(signal ? { signal } : {}),
        })) as ToolResult,
      listResources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
      readResource: async (uri) => textOf((await client.readResource({ uri })).contents),
      close: () => client.close(),
    };
  },
};

function newer(name: string, mode: 'legacy' | { readonly pin: string }): ClientKind {
  return {
    name,
    sdk: '2.x',
    async connect(transport, elicit) {
      const client = new NewerClient(info, {
        capabilities: elicit ? { elicitation: { form: {} } } : {},
        versionNegotiation: { mode },
      });
      if (elicit) client.setRequestHandler('elicitation/create', ({ params }) => elicit(params as Form));
      await client.connect(transport as NewerTransport);
      return {
        revision: client.getNegotiatedProtocolVersion() ?? '',
        listTools: async () => (await client.listTools()).tools,
        callTool: async (tool, args, signal) =>
          (await client.callTool(
            { name: tool, arguments: args },
            { timeout, ...(signal ? { signal } : {}) },
          )) as ToolResult,
        listResources: async () =>
          (await client.listResources(undefined, { cacheMode: 'refresh' })).resources.map(({ uri }) => uri),
        readResource: async (uri) => textOf((await client.readResource({ uri }, { cacheMode: 'refresh' })).contents),
        close: () => client.close(),
      };
    },
  };
}

function textOf([first]: readonly object[]): string {
  return first && 'text' in first ? String(first.text) : '';
}

export const revisions = { older: '2025-11-25', newer: '2026-07-28' } as const;

export interface SpokenKind extends ClientKind {
  /** The revision that it has to come to. */
  readonly speaks: string;
}

/** Every client that the contract is kept for. */
export const clientKinds: readonly SpokenKind[] = [
  { ...older, speaks: revisions.older },
  { ...newer('SDK 2.x, older revision', 'legacy'), speaks: revisions.older },
  { ...newer('SDK 2.x, newer revision', { pin: revisions.newer }), speaks: revisions.newer },
];
