// Sessions of the older revision over HTTP: each belongs to its key; there are so many, and those that nobody uses end.

import { isInitializeRequest, type RequestId } from '@modelcontextprotocol/server';
import type { Hall } from '../../hall.ts';
import { isSame, type Visitor } from '../../visitor.ts';
import type { AgentServers } from './agent-servers.ts';
import { HttpSession } from './http-session.ts';
import type { KeptEventsOptions } from './kept-events.ts';
import { KeptInAll } from './kept-in-all.ts';
import { refuse, serverStopping, unknownSession } from './rpc-refusal.ts';
import { spareFor } from './spare-session.ts';

export interface HttpSessionsOptions {
  /** At once. When there are more, the key that has most gives up the one that it has not used for longest. From 1. @default 1000 */
  readonly maxSessions?: number;
  /** After how long a session ends in which nothing runs and no stream is open. @default 30 minutes */
  readonly idleMs?: number;
  /** How long a run goes on whose client has gone, and may come back for its answer. @default 30 seconds */
  readonly graceMs?: number;
  /** When clients are told to come back whose stream broke off. @default 1 second */
  readonly retryMs?: number;
  /** What is kept for them. */
  readonly kept?: Omit<KeptEventsOptions, 'inAll'>;
  /** What is kept for all of them, in characters: those that have said nothing for longest lose theirs first. @default 64 Mi */
  readonly maxKeptLength?: number;
}

export const sessionDefaults: Required<HttpSessionsOptions> = {
  maxSessions: 1_000,
  idleMs: 30 * 60_000,
  graceMs: 30_000,
  retryMs: 1_000,
  kept: {},
  maxKeptLength: 64 * 2 ** 20,
};

export class HttpSessions {
  readonly #hall: Hall;
  readonly #servers: AgentServers;
  readonly #options: Required<HttpSessionsOptions>;
  readonly #open = new Map<string, HttpSession>();
  /** Since when nobody uses them: the first has been idle for longest. */
  readonly #idle = new Map<HttpSession, number>();
  readonly #kept: KeptInAll;
  #unset: (() => void) | undefined;
  #isClosed = false;

  constructor(hall: Hall, servers: AgentServers, options: HttpSessionsOptions = {}) {
    this.#hall = hall;
    this.#servers = servers;
    this.#options = { ...sessionDefaults, ...options };
    this.#kept = new KeptInAll(this.#options.maxKeptLength);
  }

  get size(): number {
    return this.#open.size;
  }

  /** The message is what a POST brought. */
  async handle(request: Request, visitor: Visitor, message?: unknown): Promise<Response> {
    if (!methods.includes(request.method))
      return refuse({ status: 405, message: 'Method not allowed.', headers: { allow: methods.join(', ') } });
    const id = request.headers.get('mcp-session-id');
    if (id === null) return isInitializeRequest(message) ? this.#begin(request, visitor, message) : noSession(message);
    const session = this.#open.get(id);
    if (!session?.hasBegun || !isSame(session.visitor, visitor)) return unknownSession();
    return session.handle(request, message);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled([...this.#open.values()].map((session) => session.close()));
  }

  async #begin(request: Request, visitor: Visitor, message: unknown): Promise<Response> {
    const id = idOf(message);
    if (this.#hall.isStopping || this.#isClosed) return serverStopping(id);
    if (!this.#makeRoom(visitor)) {
      const full = `All of the ${this.#options.maxSessions} sessions are in use.`;
      return refuse({ status: 503, message: full, id, headers: { 'retry-after': '30' } });
    }
    return this.#add(visitor).begin(request, message);
  }

  #add(visitor: Visitor): HttpSession {
    const { graceMs, retryMs, kept } = this.#options;
    const session = new HttpSession(visitor, {
      servers: this.#servers,
      clock: this.#hall.clock,
      graceMs,
      retryMs,
      kept: { ...kept, inAll: this.#kept },
      onUse: (session, isInUse) => this.#note(session, isInUse),
      onEnd: (session) => this.#remove(session),
    });
    this.#open.set(session.id, session);
    return session;
  }

  #makeRoom({ key }: Visitor): boolean {
    if (this.#open.size < this.#options.maxSessions) return true;
    const spare = spareFor(key, { open: this.#open.values(), idle: this.#idle.keys() });
    void spare?.close();
    return spare !== undefined;
  }

  #note(session: HttpSession, isInUse: boolean): void {
    if (isInUse) this.#idle.delete(session);
    else this.#idle.set(session, this.#hall.clock.monotonicMs());
    this.#setTimer();
  }

  #remove(session: HttpSession): void {
    this.#open.delete(session.id);
    this.#idle.delete(session);
    this.#setTimer();
  }

  /** One for all of them: set for whoever is due first, and only looked at anew when it rings. */
  #setTimer(): void {
    const [since] = this.#idle.values();
    if (since === undefined) {
      this.#unset?.();
      this.#unset = undefined;
      return;
    }
    if (this.#unset) return;
    const { clock } = this.#hall;
    const ring = () => {
      this.#unset = undefined;
      this.#endIdle();
      this.#setTimer();
    };
    // On a busy machine its time may be over already.
    this.#unset = clock.after(Math.max(0, since + this.#options.idleMs - clock.monotonicMs()), ring, true);
  }

  #endIdle(): void {
    const before = this.#hall.clock.monotonicMs() - this.#options.idleMs;
    for (const [session, since] of this.#idle) {
      if (since > before) return;
      void session.close();
    }
  }
}

const methods: readonly string[] = ['GET', 'POST', 'DELETE'];

function noSession(message: unknown): Response {
  return refuse({ status: 400, message: 'Bad Request: Mcp-Session-Id header is required', id: idOf(message) });
}

/** Of a message that may be anything. */
function idOf(message: unknown): RequestId | undefined {
  const { id, method } = (message ?? {}) as { readonly id?: unknown; readonly method?: unknown };
  const isRequest = typeof method === 'string' && (typeof id === 'string' || typeof id === 'number');
  return isRequest ? id : undefined;
}
