// The models of OpenRouter. Everybody may have the list, so the key is looked at elsewhere.

import { APICallError } from '@ai-sdk/provider';
import type { Directory } from '../../probe/directory.ts';
import { chatModels } from '../chat/model-list.ts';

export const openrouterModels: Directory = {
  ...chatModels,
  // A preset is kept in the account, and in no list; what is free is one of its own.
  has: (names, model) =>
    model.startsWith('@preset/') || (model.endsWith(':free') ? names.includes(model) : chatModels.has(names, model)),
  async checkKey(ask) {
    try {
      await ask('/key');
    } catch (error) {
      if (isRefused(error)) throw error;
    }
  },
  pathOf: (model) => `/models/${model.split('/').map(encodeURIComponent).join('/')}/endpoints`,
};

/** Whatever else it answers, a gateway of its kind may have no such question. */
function isRefused(error: unknown): boolean {
  return APICallError.isInstance(error) && (error.statusCode === 401 || error.statusCode === 403);
}
