// The headers of an answer, read as fetch's Headers are, and never changed.

import type { IncomingHttpHeaders } from 'node:http';
import { AgentError } from '@ai-agent/core';

export class TransportHeaders implements Headers {
  readonly #headers: IncomingHttpHeaders;

  /** Names are in lower case already. */
  constructor(headers: IncomingHttpHeaders) {
    this.#headers = headers;
  }

  get(name: string): string | null {
    const value = this.#headers[name.toLowerCase()];
    return value === undefined ? null : joined(value);
  }

  has(name: string): boolean {
    return this.#headers[name.toLowerCase()] !== undefined;
  }

  getSetCookie(): string[] {
    return this.#headers['set-cookie'] ?? [];
  }

  *entries(): Generator<[string, string], undefined, undefined> {
    for (const [name, value] of Object.entries(this.#headers)) if (value !== undefined) yield [name, joined(value)];
  }

  [Symbol.iterator]() {
    return this.entries();
  }

  *keys(): Generator<string, undefined, undefined> {
    for (const [name] of this.entries()) yield name;
  }

  *values(): Generator<string, undefined, undefined> {
    for (const [, value] of this.entries()) yield value;
  }

  forEach(callback: (value: string, key: string, headers: Headers) => void, thisArg?: unknown): void {
    for (const [name, value] of this.entries()) callback.call(thisArg, value, name, this);
  }

  append(name: string): void {
    throw readOnly(name);
  }

  delete(name: string): void {
    throw readOnly(name);
  }

  set(name: string): void {
    throw readOnly(name);
  }
}

function joined(value: string | string[]): string {
  return typeof value === 'string' ? value : value.join(', ');
}

function readOnly(name: string): AgentError {
  return new AgentError('internal', `The header ${name} of an answer cannot be changed.`);
}
