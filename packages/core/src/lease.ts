// The tools and models of one session, for as long as it lasts: its own, or on loan from a pool.

import { cancelled, type Scope } from './abort.ts';
import { builtInTools } from './built-in.ts';
import { closeTimeoutMs } from './defaults.ts';
import { inTime } from './in-time.ts';
import { partnerTools } from './partner-tools.ts';
import { hasPartners } from './partners.ts';
import type { Pool, Poolable } from './pool.ts';
import { Prepared } from './prepared.ts';
import type { Run } from './run.ts';
import type { MakeSession } from './session-config.ts';
import type { Setting } from './setting.ts';
import type { ToolOffer } from './tool.ts';

export interface LeaseParts {
  readonly setting: Setting;
  readonly run: Run;
  readonly scope: Scope;
  /** Beside the agent's own. */
  readonly tools: readonly ToolOffer[];
  readonly pool: Pool<Poolable> | undefined;
  /** For tools of ours that run sessions during their work. */
  readonly make: MakeSession;
}

export class Lease {
  readonly prepared: Prepared;
  readonly #parts: LeaseParts;

  constructor(parts: LeaseParts) {
    const { setting, run, scope, tools: more, pool } = parts;
    const { agent, env } = setting;
    const own = [...(agent.tools ?? []), ...more, ...builtInTools(agent, parts.make)];
    const tools = hasPartners(agent) ? [...own, ...partnerTools(agent)] : own;
    const hide = (secret: string) => run.secrets.hide(secret);
    const { ports, isAttended } = run;
    const prepare = (owner: Scope) => new Prepared({ agent, env, tools, ports, hide, isAttended, scope: owner });
    this.#parts = parts;
    // A pool belongs to one tool, whose sessions prepare alike.
    this.prepared = pool ? (pool.acquire(() => prepare(run.scope)) as Prepared) : prepare(scope);
  }

  /** Closes what nobody else may use. A source that does not close keeps nobody waiting for what is done. */
  async end({ isClean }: { readonly isClean: boolean }): Promise<void> {
    const { run, scope, setting } = this.#parts;
    // Not raced: sessions inside a call end by themselves, and tell it before this one does.
    const held = run.held(setting.place.id);
    if (held) await held;
    const isRoot = setting.place.depth === 0;
    const closing = isRoot ? this.#closeAll(isClean) : this.#close(isClean);
    if (!this.prepared.hasSources && !isRoot) return closing;
    const late = () => cancelled('The tools were not closed in time.');
    const time = { clock: run.ports.clock, durationMs: closeTimeoutMs, scope, late };
    await inTime(time, () => closing).catch(() => {});
  }

  /** What the tree shared goes with it, whoever does not close. */
  async #closeAll(isClean: boolean): Promise<void> {
    const { run } = this.#parts;
    const clear = async () => run.ports.workspace.clear(run.originId);
    const close = async () => {
      // A pool is closed once nobody uses what is in it.
      await Promise.allSettled([this.#close(isClean)]);
      await run.close();
    };
    await Promise.allSettled([close(), clear()]);
  }

  async #close(isClean: boolean): Promise<void> {
    const { pool } = this.#parts;
    if (pool) await pool.release(this.prepared, { isClean });
    else await this.prepared.close();
  }
}
