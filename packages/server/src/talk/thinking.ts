// What is thought on the way to an answer, and, where it is wanted, what goes on inside: all of it beside the answer.

import type { AgentEvent, Fact } from '@ai-agent/core';
import { toProgressWords } from '../progress-words.ts';

type ModelEnd = Extract<Fact, { type: 'model-end' }>;
type ReasoningDelta = Extract<AgentEvent, { type: 'reasoning-delta' }>;

export interface ThinkingOptions {
  readonly showsActivity: boolean;
  readonly write: (piece: string) => void;
}

export class Thinking {
  readonly #options: ThinkingOptions;
  /** Those whose answer is the answer of the run. */
  readonly #speakers = new Set<string>();
  /** Turns of them whose thoughts came in pieces. */
  readonly #heard = new Set<string>();
  /** Whose thoughts were written last, and in which turn. */
  #place = '';
  #all = '';

  constructor(options: ThinkingOptions) {
    this.#options = options;
  }

  get all(): string {
    return this.#all;
  }

  hear(event: AgentEvent): void {
    const { selfId, parentId } = event.trace;
    if (event.type === 'session-start' && (parentId === null || this.#isNextSpeaker(event, parentId)))
      this.#speakers.add(selfId);
    if (event.type === 'reasoning-delta') {
      if (this.#speakers.has(selfId)) this.#addPiece(event);
    } else if (event.type === 'model-end') {
      if (this.#speakers.has(selfId) && !event.step) this.#addWhole(event);
    } else this.#tell(event);
  }

  #isNextSpeaker({ partner }: Extract<Fact, { type: 'session-start' }>, parentId: string): boolean {
    return (partner === 'router' || partner === 'handoff') && this.#speakers.has(parentId);
  }

  #addPiece({ trace: { selfId }, turn, attempt, text }: ReasoningDelta): void {
    this.#heard.add(`${selfId} ${turn}`);
    this.#add(`${selfId} ${turn} ${attempt}`, text);
  }

  /** Where nobody streamed. */
  #addWhole({ trace: { selfId }, turn, reply }: ModelEnd): void {
    if (this.#heard.has(`${selfId} ${turn}`)) return;
    const thoughts = reply?.message.content.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])) ?? [];
    this.#add(`${selfId} ${turn} 0`, thoughts.join('\n\n'));
  }

  #tell(event: AgentEvent): void {
    if (!this.#options.showsActivity) return;
    const isRoot = event.trace.parentId === null;
    // How the run itself began and ended is what the reply says.
    if (isRoot && (event.type === 'session-start' || event.type === 'session-end')) return;
    const words = toProgressWords(event);
    if (words !== undefined) this.#add(`activity ${this.#all.length}`, words);
  }

  #add(place: string, text: string): void {
    if (text === '') return;
    const piece = this.#all !== '' && place !== this.#place ? `\n\n${text}` : text;
    this.#place = place;
    this.#all += piece;
    this.#options.write(piece);
  }
}
