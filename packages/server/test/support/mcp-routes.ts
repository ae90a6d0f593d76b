// How clients of the Model Context Protocol reach a house in tests: each transport with the SDKs' own end of it.

import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as newer from '@modelcontextprotocol/client';
import * as newerStdio from '@modelcontextprotocol/client/stdio';
import * as olderSse from '@modelcontextprotocol/sdk/client/sse.js';
import * as olderStdio from '@modelcontextprotocol/sdk/client/stdio.js';
import * as olderHttp from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as olderSocket from '@modelcontextprotocol/sdk/client/websocket.js';
import { serveStreams } from '../../src/headends/mcp/stdio.ts';
import { createApp, type Hall, listen, mcp } from '../../src/index.ts';
import type { Sdk } from './mcp-clients.ts';
import { SocketTransport } from './socket-transport.ts';

export interface McpRoute {
  readonly name: string;
  serve(hall: Hall): Promise<ServedMcp>;
}

export interface ServedMcp {
  /** Where a program that is given an address finds it; for a process, what is to be started. */
  readonly address: readonly string[];
  /** A way to it that nobody has gone yet. */
  way(sdk: Sdk): Way;
  close(): Promise<void>;
}

export interface Way {
  readonly transport: unknown;
  /** The client is gone, and has not said so. */
  drop(): void;
}

/** How long a client that was lost may come back, or its answers may take: none does here. */
const graceMs = 1;

function overWeb(name: string, path: string, transports: Readonly<Record<Sdk, (url: URL) => Dropping>>): McpRoute {
  return {
    name,
    async serve(hall) {
      const headend = mcp({ sessions: { graceMs } });
      const listening = await listen(createApp(hall, [headend]), { port: 0 });
      const url = `${listening.url}${path}`;
      return {
        address: [url],
        way(sdk) {
          const transport = transports[sdk](new URL(url));
          return { transport, drop: () => void transport.close() };
        },
        async close() {
          await headend.close?.();
          await listening.close(graceMs);
        },
      };
    },
  };
}

interface Dropping {
  close(): Promise<void>;
}

export const overHttp = overWeb('over HTTP', '/mcp', {
  '1.x': (url) => new olderHttp.StreamableHTTPClientTransport(url),
  '2.x': (url) => new newer.StreamableHTTPClientTransport(url),
});

export const overSse = overWeb('over SSE', '/mcp/sse', {
  '1.x': (url) => new olderSse.SSEClientTransport(url),
  '2.x': (url) => new newer.SSEClientTransport(url),
});

/** The newer SDK has no end of this one. */
export const overWebSocket = overWeb('over WebSocket', '/mcp/ws', {
  '1.x': (url) => new olderSocket.WebSocketClientTransport(toSocket(url)),
  '2.x': (url) => new SocketTransport(toSocket(url)),
});

function toSocket({ host, pathname }: URL): URL {
  return new URL(`ws://${host}${pathname}`);
}

const relay = join(import.meta.dirname, 'stdio-relay.mjs');

/** A process that the client starts; behind its pipes is the house of the test. */
export const overStdio: McpRoute = {
  name: 'over stdio',
  async serve(hall) {
    const folder = await mkdtemp(join(tmpdir(), 'mcp-'));
    const path = join(folder, 'house');
    const open = new Set<Socket>();
    const server = createServer((socket) => {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      socket.on('error', () => {});
      serveStreams(hall, { input: socket, output: socket, version: '1.0.0', graceMs });
    });
    await new Promise<void>((resolve) => server.listen(path, resolve));
    const address = [process.execPath, relay, path] as const;
    return {
      address,
      way(sdk) {
        const [command, ...args] = address;
        const { StdioClientTransport } = sdk === '1.x' ? olderStdio : newerStdio;
        const transport = new StdioClientTransport({ command, args });
        return { transport, drop: () => void (transport.pid && process.kill(transport.pid, 'SIGKILL')) };
      },
      async close() {
        for (const socket of open) socket.destroy();
        await new Promise((resolve) => server.close(resolve));
        await rm(folder, { recursive: true });
      },
    };
  },
};
