// Waits that take a while, told once each in lines: a run in a pipe that stands still says what for.

import { type AgentEvent, toLogLine } from '@ai-agent/core';

const longMs = 2_000;
const lookEveryMs = 250;

export interface LongWaitsOptions {
  readonly say: (line: string) => void;
  /** Whom sessions wait for before they open, in a line; empty when nobody. @default nobody */
  readonly waitsFor?: (() => string) | undefined;
}

export class LongWaits {
  readonly #say: LongWaitsOptions['say'];
  /** Calls that have not begun, by session and operation. */
  readonly #calls = new Map<string, NodeJS.Timeout>();
  readonly #looking: NodeJS.Timeout | undefined;

  constructor({ say, waitsFor }: LongWaitsOptions) {
    this.#say = say;
    this.#looking = waitsFor && setInterval(toLook(waitsFor, say), lookEveryMs).unref();
  }

  onEvent(event: AgentEvent): void {
    const { trace } = event;
    if (event.type === 'tool-start') {
      const message = `tool ${event.call.name} waits for its turn`;
      const tell = () => this.#say(toLogLine({ ...trace, level: 'info', message }));
      this.#calls.set(`${trace.selfId} ${event.op}`, setTimeout(tell, longMs).unref());
    }
    if (event.type === 'operation-start' || event.type === 'tool-end') this.#drop(`${trace.selfId} ${event.op}`);
    if (event.type === 'session-end')
      for (const key of this.#calls.keys()) if (key.startsWith(`${trace.selfId} `)) this.#drop(key);
  }

  end(): void {
    clearInterval(this.#looking);
    for (const key of this.#calls.keys()) this.#drop(key);
  }

  #drop(key: string): void {
    clearTimeout(this.#calls.get(key));
    this.#calls.delete(key);
  }
}

/** Whoever is waited for may change meanwhile: what counts is how long there was somebody. */
function toLook(waitsFor: () => string, say: (line: string) => void): () => void {
  let looks = 0;
  return () => {
    const whom = waitsFor();
    looks = whom === '' ? 0 : looks + 1;
    if (looks === longMs / lookEveryMs) say(whom);
  };
}
