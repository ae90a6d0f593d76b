// How much of a window there is for a conversation, and for the reply to it.

import type { OpenedModel } from './operation.ts';

/** Those before it are of no use now: what fits only them may find nobody. */
export function askable({
  models,
  answersFrom,
}: {
  readonly models: readonly OpenedModel[];
  readonly answersFrom: number;
}): readonly OpenedModel[] {
  return models.slice(answersFrom);
}

export function usableIn({ contextWindowTokens, contextBufferTokens }: OpenedModel): number {
  return contextWindowTokens - contextBufferTokens;
}

/** Room for a whole reply; in a small window, for a quarter of it. */
export function replyRoom(model: OpenedModel, { maxOutputTokens }: { readonly maxOutputTokens: number }): number {
  return Math.min(maxOutputTokens, usableIn(model) / 4);
}
