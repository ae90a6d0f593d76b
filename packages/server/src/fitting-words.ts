// Words of people who know nothing of schemas, for an agent that takes JSON: where one field of it is for words, they go there.

import { type Agent, inputFailure, isObject, type JsonObject } from '@ai-agent/core';
import { checkWords } from './check-input.ts';
import type { ServedAgent } from './served-agent.ts';

/** Fields that are for words in what agents take, the likeliest first. */
const usual = ['prompt', 'text', 'question', 'message', 'query', 'request', 'input', 'task', 'topic'] as const;

/** Words that are JSON already stay what they are. Throws `session-input-invalid`, with an example. */
export function fitWords(served: ServedAgent, words: string): string | JsonObject {
  const { agent } = served;
  if (agent.input?.format !== 'json' || !inputFailure(agent, words)) return words;
  const field = fieldForWords(agent, words);
  if (field !== undefined) return { [field]: words };
  checkWords(served, words);
  return words;
}

/** The one of the usual fields, or the only one that must be there, that takes them and leaves nothing missing. */
function fieldForWords(agent: Agent, words: string): string | undefined {
  const { properties, required } = agent.input?.schema ?? {};
  const known = isObject(properties) ? properties : {};
  const needed = Array.isArray(required) && required.length === 1 ? required.map(String) : [];
  const isForWords = (field: string) => {
    const schema = Object.hasOwn(known, field) ? known[field] : undefined;
    return isObject(schema) && schema.type === 'string' && !inputFailure(agent, JSON.stringify({ [field]: words }));
  };
  return [...needed, ...usual].find(isForWords);
}
