// What goes on in a session at this moment, as its hints have told it: for who comes in the middle. Facts take its place as they come.

import type { AgentEvent, Fact, Hint } from '@ai-agent/core';

/** Pieces of a text that were told one by one are one, from its beginning: it takes the place of what its reader has of it. */
export type SignOf<T extends Hint = Hint> = T & { readonly isSoFar?: true };

type Piece = Extract<Hint, { type: 'text-delta' | 'reasoning-delta' }>;

export class GoingOn {
  readonly #signs = new Map<string, SignOf>();

  /** In the order in which they began. */
  get signs(): readonly SignOf[] {
    return [...this.#signs.values()];
  }

  see(event: AgentEvent): void {
    if (event.kind === 'fact') this.#forget(event);
    else if (event.type === 'text-delta' || event.type === 'reasoning-delta') this.#write(event);
    else if (event.type === 'model-send') this.#signs.delete(keyOf('model-wait', event.trace.selfId, event.turn));
    else if (event.type !== 'tool-progress' || this.#isAtWork(event))
      this.#signs.set(keyOf(event.type, event.trace.selfId, whatOf(event)), event);
  }

  /** What is left of a call may go on talking when that is over. */
  #isAtWork({ trace, op }: Extract<Hint, { type: 'tool-progress' }>): boolean {
    return this.#signs.has(keyOf('operation-start', trace.selfId, op));
  }

  #write(piece: Piece): void {
    const key = keyOf(piece.type, piece.trace.selfId, '');
    const before = this.#signs.get(key) as Piece | undefined;
    const isSame = before?.turn === piece.turn && before.attempt === piece.attempt;
    this.#signs.set(key, { ...piece, text: isSame ? before.text + piece.text : piece.text, isSoFar: true });
  }

  #forget(fact: Fact): void {
    const { selfId } = fact.trace;
    if (fact.type === 'session-end') this.#forgetAll(selfId, fact.trace.originId);
    if (fact.type !== 'model-end' && fact.type !== 'tool-end' && fact.type !== 'question-end') return;
    for (const type of ['operation-start', 'operation-end', 'tool-progress'] as const)
      this.#signs.delete(keyOf(type, selfId, fact.op));
    if (fact.type !== 'model-end') return;
    this.#signs.delete(keyOf('model-wait', selfId, fact.turn));
    this.#signs.delete(keyOf('reasoning-delta', selfId, ''));
    // What was written of a call that was ended stands until other words come.
    if (fact.reply) this.#signs.delete(keyOf('text-delta', selfId, ''));
  }

  /** With the root everything is over. */
  #forgetAll(session: string, root: string): void {
    for (const [key, { trace }] of this.#signs)
      if (session === root || trace.selfId === session) this.#signs.delete(key);
  }
}

function whatOf(hint: Exclude<Hint, Piece>): string | number {
  if ('op' in hint) return hint.op;
  return 'turn' in hint ? hint.turn : '';
}

function keyOf(type: Hint['type'], session: string, what: string | number): string {
  return `${type} ${session} ${what}`;
}
