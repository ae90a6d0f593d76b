// Who calls, for requests that stay on this machine: a server of ours can tell how deep it is, and in whose service.

import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Calling,
  callingFrom,
  factsOfCaller,
  isHere,
  type ToolContext,
  headersOfCaller as toHeaders,
} from '@ai-agent/core';

/** What headers say, beside a call, where one channel carries many: in its `_meta`. */
export const depthKey = 'ai-agent/depth';
export const ancestryKey = 'ai-agent/ancestry';
export const treeKey = 'ai-agent/tree';

// Follows a call through libraries that know nothing of it, also where calls share a connection.
const callers = new AsyncLocalStorage<Calling>();

/** Does the work in the name of this caller: whatever it requests of this machine says so. */
export function withCaller<T>(caller: Calling, work: () => T): T {
  return callers.run(caller, work);
}

/** The session whose tool call this is. */
export function callingOf({ caller }: Pick<ToolContext, 'caller'>): Calling {
  return callingFrom(caller.place);
}

/** What a request has to say beside its own; nothing unless it stays here, for names of agents are nobody else's business. */
export function headersOfCaller(url: URL): Readonly<Record<string, string>> {
  const caller = callers.getStore();
  return caller && isHere(url.hostname) ? toHeaders(caller, tokenOf(caller.originId)) : {};
}

/** What a call has to say beside its own where no request goes with it: to a process of ours, or over a socket that stays here. */
export function metaOfCaller(caller: Calling, { type, url }: CalledAt): Readonly<Record<string, unknown>> {
  if (type !== 'stdio' && !(type === 'websocket' && isHere(URL.parse(url)?.hostname ?? ''))) return {};
  const { depth, ancestry } = factsOfCaller(caller);
  return { [depthKey]: depth, [ancestryKey]: ancestry, [treeKey]: tokenOf(caller.originId) };
}

export interface CalledAt {
  readonly type: 'stdio' | 'http' | 'sse' | 'websocket';
  readonly url: string;
}

/** The server package makes the same of the ids of the trees it runs; another process makes others. */
function tokenOf(originId: string): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', `${secret()} ${originId}`).slice(0, 32);
}

/** Chance of this process. The packages of the server and of the models find it under the same symbol: none knows the others. */
const key = Symbol.for('ai-agent.tree-secret');

function secret(): string {
  const shared = globalThis as { [key]?: string };
  shared[key] ??= process.getBuiltinModule('node:crypto').randomBytes(32).toString('hex');
  return shared[key];
}

/**
 * Whether a call may come back to this very process, and then wait in a row that it stands in itself: nobody named a row, and
 * the address is here.
 */
export function mayBeOurselves({ queue, url }: { readonly queue?: string | undefined; readonly url: string }): boolean {
  const host = queue === undefined ? URL.parse(url)?.hostname : undefined;
  return host !== undefined && isHere(host);
}
