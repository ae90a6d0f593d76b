// Sees to it that a conversation fits its model: makes a turn the last one in time, and cuts what would overflow.

import type { Middleware, SessionView } from '../middleware.ts';
import { headBytes } from '../text.ts';
import { tokensOf } from '../tokens.ts';

export const contextGuard: Middleware = {
  name: 'context-guard',
  decide: {
    turn(plan, view) {
      if (plan.last !== null || plan.number === 1 || !plan.tools.some((tool) => tool.isOffered)) return plan;
      if (view.contextTokens + replyRoom(view) <= usable(view)) return plan;
      const limit = 'contextWindowTokens';
      return { ...plan, last: limit, tools: [], say: [...plan.say, view.texts.wrapUp(limit)] };
    },
    result(result, _plan, view) {
      // Half of what is kept free may be used by the result that reaches it: the last turn needs the other half.
      const room = usable(view) + view.limits.contextBufferTokens / 2 - view.contextTokens;
      const { text, failure } = result;
      const taken = failure ? tokensOf(failure.message) : 0;
      if (taken + tokensOf(text) <= room) return result;
      const cut = (long: string, tokens: number) => view.texts.contextFull(headBytes(long, Math.max(0, tokens * 3)));
      if (!failure || taken <= room) return { ...result, text: cut(text, room - taken) };
      return { ...result, text: '', failure: { ...failure, message: cut(failure.message, room) } };
    },
  },
  perform: {
    model(work, next) {
      const { settings } = work.request;
      const room = work.choice.contextWindowTokens - work.inputTokens;
      if (settings.maxOutputTokens === undefined || settings.maxOutputTokens <= room) return next(work);
      const maxOutputTokens = Math.max(Math.min(leastReply, settings.maxOutputTokens), room);
      return next({ ...work, request: { ...work.request, settings: { ...settings, maxOutputTokens } } });
    },
  },
};

/** Less than this is no answer: a provider that refuses it says why better than we could. */
const leastReply = 256;

function usable({ models, limits }: SessionView): number {
  return (models[0]?.contextWindowTokens ?? limits.contextWindowTokens) - limits.contextBufferTokens;
}

/** Room for a whole reply; in a small window, for a quarter of it. */
function replyRoom(view: SessionView): number {
  return Math.min(view.maxOutputTokens, usable(view) / 4);
}
