// What a request of a conversation comes with, and what a session is given by it.

import { clientTool, type ToolOffer } from '@ai-agent/core';
import type { Asked } from '../asked.ts';
import type { Hall } from '../hall.ts';
import type { Talk } from './talk.ts';
import type { TalkMemory } from './talk-memory.ts';
import { wordsToModel } from './words-to-model.ts';

export interface Conversing extends Pick<Asked, 'visitor' | 'headend' | 'above' | 'signal' | 'onEvent' | 'onFact'> {
  readonly hall: Hall;
  readonly memory: TalkMemory;
  readonly talk: Talk;
}

export type Going = ReturnType<typeof goingOf>;

/** Whether it begins or goes on. */
export function goingOf({ hall, talk, visitor, headend, above, signal, onEvent, onFact }: Conversing) {
  const tools: readonly ToolOffer[] = talk.tools.map(clientTool);
  const instructions = wordsToModel(talk, hall.agent(talk.agent, visitor).agent);
  return {
    visitor,
    headend,
    above,
    signal,
    onEvent,
    onFact,
    ...(instructions === '' ? {} : { instructions }),
    ...(tools.length > 0 ? { tools } : {}),
  };
}
