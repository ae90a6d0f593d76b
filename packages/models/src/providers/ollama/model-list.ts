// The models that an Ollama has pulled.

import { isObject } from '@ai-agent/core';
import { type Directory, namesIn } from '../../probe/directory.ts';
import { bearer, headersOf } from '../endpoint.ts';

export const ollamaModels: Directory = {
  headers: (endpoint) => headersOf(endpoint, bearer(endpoint)),
  async list(ask) {
    const answer = await ask('/tags');
    return namesIn(isObject(answer) ? answer.models : undefined, 'name');
  },
  has: (names, model) => names.some((name) => tagged(name) === tagged(model)),
  remedyFor: (model) => `Run \`ollama pull ${model}\` where the Ollama is, or name a model that it has.`,
};

/** A name without a tag means the latest; Ollama does not tell cases apart. */
function tagged(name: string): string {
  const whole = name.slice(name.lastIndexOf('/') + 1).includes(':') ? name : `${name}:latest`;
  return whole.toLowerCase();
}
