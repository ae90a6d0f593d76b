// Who calls, for requests that stay on this machine: a server of ours can tell how deep it is, and in whose service.

import { AsyncLocalStorage } from 'node:async_hooks';
import type { Trace } from '@ai-agent/core';

/** How many agents are at work above, the one that calls included. */
export const depthHeader = 'x-ai-agent-depth';

/** Their names from the root, each url-encoded, joined by colons. */
export const ancestryHeader = 'x-ai-agent-ancestry';

/**
 * Names the tree that calls to the process that runs it, and to nobody else: a server of ours there knows that the tree waits,
 * and lets nobody wait for it in turn.
 */
export const treeHeader = 'x-ai-agent-tree';

/** The same three beside a call, where one channel carries many: in its `_meta`. */
export const depthKey = 'ai-agent/depth';
export const ancestryKey = 'ai-agent/ancestry';
export const treeKey = 'ai-agent/tree';

type Caller = Pick<Trace, 'callPath' | 'originId'>;

// Follows a call through libraries that know nothing of it, also where calls share a connection.
const callers = new AsyncLocalStorage<Caller>();

/** Does the work in the name of this caller: whatever it requests of this machine says so. */
export function withCaller<T>(trace: Caller, work: () => T): T {
  return callers.run(trace, work);
}

/** What a request has to say beside its own; nothing unless it stays here, for names of agents are nobody else's business. */
export function headersOfCaller(url: URL): Readonly<Record<string, string>> {
  const caller = callers.getStore();
  if (!caller || !isHere(url.hostname)) return {};
  const { depth, ancestry, tree } = factsOf(caller);
  return { [depthHeader]: String(depth), [ancestryHeader]: ancestry, [treeHeader]: tree };
}

/** What a call has to say beside its own where no request goes with it: to a process of ours, or over a socket that stays here. */
export function metaOfCaller(caller: Caller, { type, url }: CalledAt): Readonly<Record<string, unknown>> {
  if (type !== 'stdio' && !(type === 'websocket' && isHere(URL.parse(url)?.hostname ?? ''))) return {};
  const { depth, ancestry, tree } = factsOf(caller);
  return { [depthKey]: depth, [ancestryKey]: ancestry, [treeKey]: tree };
}

export interface CalledAt {
  readonly type: 'stdio' | 'http' | 'sse' | 'websocket';
  readonly url: string;
}

function factsOf({ callPath, originId }: Caller) {
  const agents = callPath.split(':');
  return { depth: agents.length, ancestry: agents.map(encodeURIComponent).join(':'), tree: tokenOf(originId) };
}

/** The server package makes the same of the ids of the trees it runs; another process makes others. */
function tokenOf(originId: string): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', `${secret()} ${originId}`).slice(0, 32);
}

/** Chance of this process. The package of the server finds it under the same symbol: neither knows the other. */
const key = Symbol.for('ai-agent.tree-secret');

function secret(): string {
  const shared = globalThis as { [key]?: string };
  shared[key] ??= process.getBuiltinModule('node:crypto').randomBytes(32).toString('hex');
  return shared[key];
}

const here = /^(?:localhost|.*\.localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\]|\[::ffff:(?:7f..:[\da-f]+|0:0)\])\.?$/;

/**
 * Whether a call may come back to this very process, and then wait in a row that it stands in itself: nobody named a row, and
 * the address is here.
 */
export function mayBeOurselves({ queue, url }: { readonly queue?: string | undefined; readonly url: string }): boolean {
  const host = queue === undefined ? URL.parse(url)?.hostname : undefined;
  return host !== undefined && isHere(host);
}

/** By its name, as addresses are written after they were parsed. An unspecified address leads here too. */
export function isHere(hostname: string): boolean {
  return here.test(hostname);
}
