// Connects to a server: whichever revision and transport it speaks, in time, and with nothing left behind when it fails.

import { type Client, ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import type { Surroundings } from '../surroundings.ts';
import { type ClientHooks, createClient } from './client.ts';
import type { Conceal } from './concealed.ts';
import type { Answers } from './link.ts';
import type { Route } from './network.ts';
import type { ServerConfig, ServerType } from './server-config.ts';
import { isUnreadable, toLateStart, toStartFailure } from './start-failure.ts';
import type { ProcessGroups } from './transports/process-groups.ts';
import { until } from './until.ts';
import { openWire, type Wire } from './wire.ts';

export interface Target {
  readonly server: ServerConfig;
  readonly surroundings: Surroundings;
  readonly groups: ProcessGroups;
  readonly route: Route | undefined;
  readonly answers: Answers;
  readonly conceal: Conceal;
  readonly hooks: ClientHooks & { onReceived(message: unknown): void };
}

export interface Connected {
  readonly client: Client;
  readonly wire: Wire;
}

const mostLogins = 3;

/** Throws `tool-source-failed`, or what the signal says. */
export async function connect(target: Target, signal: AbortSignal): Promise<Connected> {
  const login = target.route?.login;
  for (let logins = 0; ; logins++) {
    const found = await connectInTime(target, signal);
    if ('client' in found) return found;
    if (!login?.isNeeded(found.error) || logins === mostLogins) throw toStartFailure(target, found);
    // A person takes as long as a person takes.
    await login.complete(found.error, signal);
  }
}

/** A start that came to nothing. */
export interface FailedStart {
  readonly error: unknown;
  readonly wire: Wire;
}

async function connectInTime(target: Target, signal: AbortSignal): Promise<Connected | FailedStart> {
  const { server, surroundings } = target;
  signal.throwIfAborted();
  const limit = new AbortController();
  const walk: Walk = { target, limit: limit.signal, wire: undefined };
  const onAbort = () => limit.abort(signal.reason);
  const stop = surroundings.clock.after(server.startTimeoutMs, () => limit.abort(toLateStart(target, walk.wire)));
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await tryPlans(walk);
  } finally {
    stop();
    signal.removeEventListener('abort', onAbort);
  }
}

/** How a server is spoken to, which is not known before it was tried. */
interface Plan {
  readonly type: ServerType;
  /** Whether it is asked first which revision it speaks, and how patiently. */
  readonly probe: 'short' | 'long' | 'none';
}

interface Walk {
  readonly target: Target;
  readonly limit: AbortSignal;
  /** The last that was tried. */
  wire: Wire | undefined;
}

async function tryPlans(walk: Walk): Promise<Connected | FailedStart> {
  let plan: Plan | undefined = { type: walk.target.server.type, probe: 'short' };
  let refused: FailedStart | undefined;
  for (;;) {
    const found = await tryPlan(walk, plan);
    if ('client' in found) return found;
    const next = planAfter(plan, found);
    // The older transport is a guess: when it is wrong too, the first answer says more.
    if (!next) return refused ?? found;
    if (next.type !== plan.type) refused = found;
    plan = next;
  }
}

/** A server that is silent is an older one, or still starting: it gets the older handshake on the same channel. */
const shortProbeMs = 2_000;

async function tryPlan(walk: Walk, { type, probe }: Plan): Promise<Connected | FailedStart> {
  const { target, limit } = walk;
  const { server, surroundings, answers, hooks } = target;
  const startMs = server.startTimeoutMs;
  const patience = {
    short: Math.min(type === 'http' ? startMs / 2 : shortProbeMs, startMs / 2),
    long: startMs,
    none: 0,
  };
  const wire = openWire({ ...target, type, onReceived: (message) => hooks.onReceived(message) });
  walk.wire = wire;
  const client = createClient({ version: surroundings.version, answers, probeMs: patience[probe], hooks });
  const prior = probe === 'none' ? { prior: { kind: 'legacy' as const } } : {};
  try {
    await until(client.connect(wire.transport, { timeout: startMs, ...prior }), limit);
    return { client, wire };
  } catch (error) {
    const ended = wire.endNow().catch(() => {});
    if (limit.aborted) throw limit.reason;
    // How it ended is known a moment after its pipes broke.
    if (wire.stdio) await until(ended, limit);
    return { error, wire };
  }
}

function planAfter({ type, probe }: Plan, { error, wire }: FailedStart): Plan | undefined {
  if (type === 'http') return planAfterHttp(probe, error);
  if (probe !== 'short') return undefined;
  // It woke up after it was taken for an older one, and speaks only the newer revision.
  if (error instanceof ProtocolError) return { type, probe: 'long' };
  const isBroken = wire.stdio ? wire.stdio.pid !== null && !wire.stdio.fault : error instanceof SdkError;
  return isBroken ? { type, probe: 'none' } : undefined;
}

function planAfterHttp(probe: Plan['probe'], error: unknown): Plan | undefined {
  const status = error instanceof SdkHttpError ? error.status : undefined;
  const isRefused = status !== undefined && status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status);
  if (isRefused) return { type: 'sse', probe: 'short' };
  const isSilent = error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
  const isConfused = (status !== undefined && status >= 500) || isUnreadable(error);
  return probe === 'short' && (isSilent || isConfused) ? { type: 'http', probe: 'none' } : undefined;
}
