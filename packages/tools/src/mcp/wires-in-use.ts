// Wires that are replaced while calls are under way on them: they are ended when the last of these is over.

import type { Wire } from './wire.ts';

export class WiresInUse {
  readonly #users = new Map<Wire, number>();
  readonly #retired = new Set<Wire>();
  readonly #ending = new Set<Promise<void>>();

  async during<T>(wire: Wire, work: () => Promise<T>): Promise<T> {
    this.#users.set(wire, (this.#users.get(wire) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = (this.#users.get(wire) ?? 1) - 1;
      if (left > 0) this.#users.set(wire, left);
      else this.#users.delete(wire);
      if (left === 0 && this.#retired.has(wire)) this.#end(wire);
    }
  }

  retire(wire: Wire): void {
    this.#retired.add(wire);
    if (!this.#users.has(wire)) this.#end(wire);
  }

  async endAll(): Promise<void> {
    await Promise.all([...this.#retired].map((wire) => wire.endNow().catch(() => {})));
    this.#retired.clear();
    await Promise.all(this.#ending);
  }

  /** In peace: a server may keep much for a session that nobody ends. */
  #end(wire: Wire): void {
    this.#retired.delete(wire);
    const ending = wire
      .close()
      .catch(() => {})
      .finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }
}
