// Conversations that are held here between two requests, for clients that send only what is new. For a day.

import { isObject } from '@ai-agent/core';
import type { Hall } from '../../hall.ts';
import { Noted } from '../../talk/noted.ts';
import type { Said } from '../../talk/said.ts';
import { whoseOf } from '../../talk/whose.ts';
import type { Visitor } from '../../visitor.ts';
import { listAt, objectAt, textAt, wrong } from './field.ts';
import { type MessageHead, toContent } from './message-reply.ts';
import type { MessagesBody } from './read-messages.ts';
import { ThreadUnknown } from './thread-unknown.ts';

/** As the client sent it. Plain data. */
interface Thread {
  readonly whose: string;
  /** What is said once for all of it. */
  readonly fixed: Readonly<Record<string, unknown>>;
  readonly messages: readonly unknown[];
}

/** Those that are kept here alone. */
export const threadBounds = { conversations: 1_000, bytes: 64 * 1024 * 1024, forMs: 24 * 60 * 60_000 } as const;

export class Threads {
  /** By the message that each ends with. */
  readonly #held: Noted<Thread>;

  constructor(hall: Hall) {
    const { conversations: max, bytes: maxBytes, forMs } = threadBounds;
    this.#held = new Noted(hall, { kind: 'thread', max, maxBytes, forMs });
  }

  /** The request as if all of it were sent. Throws `request-invalid`, and `ThreadUnknown` also for those of others. */
  async toWhole(body: MessagesBody, visitor: Visitor): Promise<MessagesBody> {
    const previous = previousOf(body);
    if (previous === undefined) return body;
    const thread = await this.#held.get(previous);
    if (thread?.whose !== whoseOf(visitor)) throw new ThreadUnknown(previous);
    return { ...thread.fixed, ...body, messages: [...thread.messages, ...listAt(body.messages, 'messages')] };
  }

  /** Nothing where the client holds it itself. What it goes on from is then part of it, and nothing by itself. Settles when it is held. */
  async hold(body: MessagesBody, visitor: Visitor, { head, said }: Ending): Promise<void> {
    if (!isObject(body.thread)) return;
    const { system, tools } = body;
    const fixed = { ...(system === undefined ? {} : { system }), ...(tools === undefined ? {} : { tools }) };
    const reply = { role: 'assistant', content: toContent(said, head) };
    const messages = [...listAt(body.messages, 'messages'), reply];
    await this.#held.put(head.id, { whose: whoseOf(visitor), fixed, messages });
    const previous = previousOf(body);
    if (previous !== undefined) await this.#held.delete(previous);
  }
}

export interface Ending {
  readonly head: MessageHead;
  readonly said: Said;
}

/** The message that is gone on from. Throws `request-invalid`. */
function previousOf({ thread }: MessagesBody): string | undefined {
  if (thread === undefined || thread === null) return undefined;
  const { type, previous_message_id: id } = objectAt(thread, 'thread');
  if (type === 'create') return undefined;
  if (type !== 'continue') throw wrong('thread.type', 'this must be create or continue.');
  return textAt(id, 'thread.previous_message_id');
}
