// The models of a server that speaks as OpenAI does.

import { isObject } from '@ai-agent/core';
import { type Ask, type Directory, namesIn } from '../../probe/directory.ts';
import { bearer, headersOf } from '../endpoint.ts';

export const chatModels: Directory = {
  headers: (endpoint) => headersOf(endpoint, bearer(endpoint)),
  list: listChatModels,
  has: (names, model) => names.includes(model) || names.includes(withoutVariant(model)),
  pathOf: (model) => `/models/${encodeURIComponent(model)}`,
};

/** Some leave out what is around the list. An empty one says nothing: many load a model when it is asked for. */
async function listChatModels(ask: Ask): Promise<readonly string[] | undefined> {
  const answer = await ask('/models');
  const names = namesIn(isObject(answer) ? answer.data : answer, 'id');
  return names && names.length > 0 ? names : undefined;
}

/** Gateways take wishes after a colon: `vendor/model:fastest`. */
function withoutVariant(model: string): string {
  return model.replace(/:[\w.-]+$/, '');
}
