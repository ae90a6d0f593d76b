// What stands of us in a thread, asked of Slack: for who comes after a process that could not note all of it.

import { isObject } from '@ai-agent/core';
import { isOfOurs } from '../ask/said.ts';
import type { Surroundings } from '../surroundings.ts';
import type { Thread } from './threads.ts';

/** A message as Slack has it. */
export type OurMessage = Readonly<Record<string, unknown>> & { readonly ts: string };

/** Without it something may stand there twice, or for ever. */
const lookingMs = 10_000;

/** Those behind the message that is `after`, the oldest first. Empty where Slack does not say. */
export async function readOurs(
  { api, identity }: Pick<Surroundings, 'api' | 'identity'>,
  { channel, ts }: Thread,
  after: string,
): Promise<readonly OurMessage[]> {
  const args = { channel, ts, oldest: after, inclusive: false, limit: 200 };
  const answer = await api.call('conversations.replies', args, { withinMs: lookingMs }).catch(() => undefined);
  const messages: readonly unknown[] = Array.isArray(answer?.messages) ? answer.messages : [];
  const bot = { user: identity.botUser, id: identity.botId };
  // Slack gives the root of a thread whatever times were asked for.
  const isIt = (message: Readonly<Record<string, unknown>>): message is OurMessage =>
    typeof message.ts === 'string' && Number(message.ts) > Number(after) && isOfOurs(message, bot);
  return messages.filter(isObject).filter(isIt);
}

/** What is in its buttons and lists. */
export function actionsIn(blocks: unknown): readonly Readonly<Record<string, unknown>>[] {
  return partsOf(blocks)
    .filter(({ type }) => type === 'actions')
    .flatMap(({ elements }) => partsOf(elements));
}

function partsOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
