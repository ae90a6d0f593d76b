// What is asked of an agent that takes words, among other fields: said once, as words, with nothing beside it that nobody would hear.

import { AgentError, type JsonObject } from '@ai-agent/core';
import { unknownField } from './unknown-field.ts';

interface Wishes {
  /** Under which it may be said; as data under `json`. */
  readonly words: readonly string[];
  /** What may be said beside it. */
  readonly beside: readonly string[];
}

/** Where one of the words says what is asked, nothing else is data: it is a wish that nobody would hear. Throws `request-invalid`. */
export function checkWish(said: JsonObject, { words, beside }: Wishes): void {
  const [word, ...others] = words.filter((name) => Object.hasOwn(said, name));
  if (word === undefined) return;
  if (others.length > 0)
    throw new AgentError('request-invalid', `${word} and ${others.join(' and ')} are the same: send one of them.`);
  if (word !== 'json' && typeof said[word] !== 'string')
    throw new AgentError('request-invalid', `${word} must be text: it is what you ask.`);
  const unknown = Object.keys(said).find((name) => name !== word);
  if (unknown !== undefined) throw unknownField(unknown, [word, ...beside]);
}
