// Messages from outside to sessions of one run: each is waited for by name, and kept until somebody does.

import type { Scope } from './abort.ts';
import type { Json } from './json.ts';

export class Inbox {
  #arrived: Map<string, Json[]> | undefined;
  #waiting: Map<string, (value: Json) => void> | undefined;

  send(sessionId: string, name: string, value: Json): void {
    const key = `${sessionId}/${name}`;
    const receive = this.#waiting?.get(key);
    this.#waiting?.delete(key);
    this.#arrived ??= new Map();
    if (receive) receive(value);
    else this.#arrived.set(key, [...(this.#arrived.get(key) ?? []), value]);
  }

  async receive(sessionId: string, name: string, scope: Scope): Promise<Json> {
    const key = `${sessionId}/${name}`;
    const [first, ...rest] = this.#arrived?.get(key) ?? [];
    if (first !== undefined) {
      this.#arrived?.set(key, rest);
      return first;
    }
    try {
      const waiting = this.#waiting ?? new Map<string, (value: Json) => void>();
      this.#waiting = waiting;
      return await scope.race(new Promise<Json>((resolve) => waiting.set(key, resolve)));
    } finally {
      if (scope.isAborted) this.#waiting?.delete(key);
    }
  }
}
