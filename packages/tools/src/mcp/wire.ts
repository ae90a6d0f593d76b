// A transport of the right kind for a server, watched, with what is needed to end it and to say how it ended.

import { messageOf } from '@ai-agent/core';
import {
  SSEClientTransport,
  SseError,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import type { Surroundings } from '../surroundings.ts';
import type { Conceal } from './concealed.ts';
import type { Route } from './network.ts';
import type { ServerConfig, ServerType } from './server-config.ts';
import type { ProcessGroups } from './transports/process-groups.ts';
import { StdioTransport } from './transports/stdio.ts';
import { Watched, WatchedChannel, type Watcher } from './transports/watched.ts';
import { WebSocketTransport } from './transports/websocket.ts';

export interface Wire {
  readonly transport: Transport;
  /** Of a server that was started here. */
  readonly stdio: StdioTransport | undefined;
  /** In peace: the other side is told, and may end in its own time, which is short. */
  close(): Promise<void>;
  /** Without that. Both settle when nothing of it is left. */
  endNow(): Promise<void>;
}

export interface WireOptions {
  readonly server: ServerConfig;
  /** May differ from what the server's entry says. */
  readonly type: ServerType;
  readonly surroundings: Surroundings;
  readonly groups: ProcessGroups;
  readonly route: Route | undefined;
  readonly conceal: Conceal;
  /** Sees each message that comes in. */
  onReceived(message: unknown): void;
}

export function openWire(options: WireOptions): Wire {
  const { type, route } = options;
  if (type === 'stdio' || !route) return openStdio(options);
  if (type === 'websocket') return openSocket(options, route);
  return type === 'sse' ? openSse(options, route) : openHttp(options, route);
}

function openStdio(options: WireOptions): Wire {
  const { server, surroundings, groups, conceal } = options;
  const stdio = new StdioTransport({
    command: server.command,
    args: server.args,
    env: { ...surroundings.serverEnv, ...server.env },
    cwd: server.cwd ?? surroundings.cwd,
    groups,
    onStderr: (line) => surroundings.onTraffic?.({ server: server.name, direction: 'stderr', text: conceal(line) }),
  });
  const transport = new WatchedChannel(stdio, watcherFor(options));
  return { transport, stdio, close: () => stdio.close(), endNow: () => stdio.endNow() };
}

function openSocket(options: WireOptions, { dispatcher }: Route): Wire {
  const { url, headers } = options.server;
  const socket = new WebSocketTransport({ url: url.replace(/^http/, 'ws'), headers, dispatcher });
  const end = () => socket.close();
  return { transport: new WatchedChannel(socket, watcherFor(options)), stdio: undefined, close: end, endNow: end };
}

function openHttp(options: WireOptions, route: Route): Wire {
  const { url, headers } = options.server;
  const http = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers }, ...waysOf(route) });
  const close = async () => {
    await withinShort(http.terminateSession());
    await http.close();
  };
  return { transport: new Watched(http, watcherFor(options)), stdio: undefined, close, endNow: () => http.close() };
}

function openSse(options: WireOptions, route: Route): Wire {
  const { url, headers } = options.server;
  const sse = new SSEClientTransport(new URL(url), { requestInit: { headers }, ...waysOf(route) });
  const watcher = watcherFor(options);
  const failed = (error: Error) => {
    watcher.failed(error);
    // It would connect again by itself, as somebody whom the server has never met.
    if (error instanceof SseError) void sse.close();
  };
  const transport = new WatchedChannel(sse, { ...watcher, failed });
  const end = () => sse.close();
  return { transport, stdio: undefined, close: end, endNow: end };
}

const farewellMs = 1_000;

/** Whether a server wants to know that we are gone is its own affair. */
async function withinShort(farewell: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, farewellMs);
  });
  await Promise.race([farewell.catch(() => {}), late]);
  clearTimeout(timer);
}

function waysOf({ fetch, login }: Route) {
  return { fetch, ...(login ? { authProvider: login.provider } : {}) };
}

function watcherFor({ server, surroundings, conceal, onReceived }: WireOptions): Watcher {
  const { onTraffic } = surroundings;
  const tell = (direction: 'sent' | 'received', message: unknown) =>
    onTraffic?.({ server: server.name, direction, text: conceal(toLine(message)) });
  return {
    sent: (message) => tell('sent', message),
    received: (message) => {
      tell('received', message);
      onReceived(message);
    },
    failed: () => {},
  };
}

/** What is nested without measure can be read, and not written. */
function toLine(message: unknown): string {
  try {
    return JSON.stringify(message);
  } catch (error) {
    return `(a message that cannot be shown: ${messageOf(error)})`;
  }
}
