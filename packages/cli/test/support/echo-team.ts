// A team for tests of load: a lead that hands its word to two children, and says what they said. Children hold words while they are told to.

import { type Agent, asTool, type Model, type ModelContext, type ModelReply, type ModelRequest } from '@ai-agent/core';

/** What came of the calls of the children so far. */
export interface Calls {
  /** Words that are held now, once for each child. */
  readonly held: readonly string[];
  /** Words whose call was called off while it was held. */
  readonly aborted: readonly string[];
}

/** Four calls of a model: the lead's two, and one of each child. */
export const usageOfTeam = { inputTokens: 40, outputTokens: 20 };

export function answerOfTeam(word: string): string {
  return `left heard ${word}, right heard ${word}`;
}

/** Far more than the buffers of a connection: the answer to words that begin with `word-long` comes to some 16 MB. */
const longTimes = 400_000;

/** Holds back the words for which `isHeld` says so, until `let go`. */
export class EchoTeam {
  readonly #waiting = new Map<symbol, { readonly word: string; go(): void }>();
  #aborted: string[] = [];
  isHeld: (word: string) => boolean = () => false;

  get agent(): Agent {
    const children = ['left', 'right'].map((name) => asTool(agentOf(name, this.#child(name))));
    return { ...agentOf('team', lead), tools: children };
  }

  get calls(): Calls {
    return { held: [...this.#waiting.values()].map(({ word }) => word).sort(), aborted: [...this.#aborted].sort() };
  }

  /** Those held so far whose words fit, and nobody who comes later. */
  letGo(fits: (word: string) => boolean = () => true): void {
    for (const { word, go } of [...this.#waiting.values()]) if (fits(word)) go();
  }

  forget(): void {
    this.#aborted = [];
  }

  #child(name: string): Model {
    return modelOf(async ({ messages }, { signal }) => {
      const word = wordIn(messages);
      if (this.isHeld(word)) await this.#hold(word, signal);
      return reply(`${name} heard ${word}`);
    });
  }

  #hold(word: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const key = Symbol(word);
      const leave = () => {
        this.#waiting.delete(key);
        signal.removeEventListener('abort', onAbort);
      };
      const onAbort = () => {
        leave();
        this.#aborted.push(word);
        reject(signal.reason);
      };
      const go = () => {
        leave();
        resolve();
      };
      this.#waiting.set(key, { word, go });
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }
}

const lead = modelOf(async ({ messages }) => {
  const last = messages.at(-1);
  const word = wordIn(messages);
  if (last?.role === 'tool') {
    const heard = last.content.map(({ text }) => text.trim()).join(', ');
    return reply(word.startsWith('word-long') ? heard.repeat(longTimes) : heard);
  }
  const call = (name: string) => ({
    type: 'tool-call' as const,
    id: name,
    name,
    input: JSON.stringify({ text: word, reason: word }),
  });
  return {
    ...reply(''),
    message: { role: 'assistant', content: ['left', 'right'].map(call) },
    finishReason: 'tool-calls',
  };
});

function agentOf(name: string, model: Model): Agent {
  return { name, description: `is ${name}`, instructions: `You are ${name}.`, model };
}

function modelOf(call: (request: ModelRequest, context: ModelContext) => Promise<ModelReply>): Model {
  return { provider: 'stand-in', model: 'echo', call };
}

function reply(text: string): ModelReply {
  const usage = { inputTokens: 10, outputTokens: 5 };
  return { message: { role: 'assistant', content: [{ type: 'text', text }] }, finishReason: 'stop', usage };
}

function wordIn(messages: ModelRequest['messages']): string {
  return /\bword-[\w-]+/.exec(JSON.stringify(messages[0]))?.[0] ?? '';
}
