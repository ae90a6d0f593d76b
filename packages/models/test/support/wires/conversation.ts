// What a provider was told in one request, however its wire divides it into messages.

import type { WireCall, WireRequest } from './wire.ts';

type Entry = WireRequest['messages'][number];

export interface Turn {
  readonly role: Entry['role'];
  readonly text: string;
  readonly calls: readonly WireCall[];
  readonly results: Entry['results'];
  readonly reasoning: string;
  readonly signatures: readonly string[];
}

/** Neighbours of one role are one turn. */
export function turnsOf({ messages }: WireRequest): readonly Turn[] {
  const turns: Turn[] = [];
  for (const { role, text, calls, results, reasoning } of messages) {
    const own = reasoning?.signature === undefined ? [] : [reasoning.signature];
    const turn = { role, text, calls, results, reasoning: reasoning?.text ?? '', signatures: own };
    const last = turns.at(-1);
    if (last?.role === role) turns[turns.length - 1] = joined(last, turn);
    else turns.push(turn);
  }
  return turns;
}

function joined(a: Turn, b: Turn): Turn {
  return {
    role: a.role,
    text: a.text + b.text,
    calls: [...a.calls, ...b.calls],
    results: [...a.results, ...b.results],
    reasoning: a.reasoning + b.reasoning,
    signatures: [...a.signatures, ...b.signatures],
  };
}
