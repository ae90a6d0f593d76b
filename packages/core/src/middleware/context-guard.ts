// Sees to it that a conversation fits its model: has it summed up or makes a turn the last one in time, and cuts what would overflow.

import { askable, replyRoom, usableIn } from '../context-room.ts';
import { withoutFiles } from '../cut-results.ts';
import type { Middleware, ModelWork, SessionView } from '../middleware.ts';
import { isOwnAnswer } from '../place.ts';
import { headBytes, utf8Bytes } from '../text.ts';
import { bytesPerTokenOf, tokensOf, tokensOfResult } from '../tokens.ts';
import type { ToolResult } from '../tool-result.ts';

export const contextGuard: Middleware = {
  name: 'context-guard',
  decide: {
    turn(plan, view) {
      if (plan.last !== null) return plan;
      if (askable(view).some((model) => view.contextTokens + replyRoom(model, view) <= usableIn(model))) return plan;
      if (view.canSumUp) return { ...plan, sumsUp: true };
      if (plan.number === 1 || !plan.tools.some((tool) => tool.isOffered)) return plan;
      const limit = 'contextWindowTokens';
      return { ...plan, last: limit, tools: [], say: [...plan.say, view.texts.wrapUp(limit)] };
    },
    result: (result, { tool, isInBatch, parallel }, view) =>
      isOwnAnswer(tool.partner) ? result : fitted(result, view, { parallel, telling: isInBatch ? quoted : plain }),
  },
  perform: {
    model(work, next) {
      const { settings } = work.request;
      const room = work.choice.contextWindowTokens - work.inputTokens - margin(work);
      if (settings.maxOutputTokens === undefined || settings.maxOutputTokens <= room) return next(work);
      const maxOutputTokens = Math.max(Math.min(leastReply, settings.maxOutputTokens), room);
      return next({ ...work, request: { ...work.request, settings: { ...settings, maxOutputTokens } } });
    },
  },
};

/** A text as it is told. */
type Telling = (text: string) => string;

const plain: Telling = (text) => text;
const quoted: Telling = (text) => JSON.stringify(text);

interface Fitting {
  /** The number of results that share the rest of the window. */
  readonly parallel: number;
  readonly telling: Telling;
}

function fitted(result: ToolResult, view: SessionView, fitting: Fitting): ToolResult {
  const { parallel, telling } = fitting;
  // Half of what is kept free may be used by the result that reaches it: the last turn needs the other half.
  const most = Math.max(...askable(view).map((model) => usableIn(model) + model.contextBufferTokens / 2));
  const room = Math.floor((most - view.contextTokens) / parallel);
  const perToken = bytesPerTokenOf(view.models);
  const { text, failure } = result;
  const taken = failure ? tokensOf(telling(failure.message), perToken) : 0;
  if (taken + tokensOfResult({ ...result, text: telling(text) }, perToken) <= room) return result;
  // A picture cannot be shown in half.
  if (result.files) return fitted(withoutFiles(result, view.texts), view, fitting);
  // A little less than would fit: what is said of the cut comes on top.
  const bytesIn = (tokens: number) => Math.max(0, Math.floor((tokens * perToken * 6) / 7));
  const cut = (long: string, tokens: number) => view.texts.contextFull(headTold(long, bytesIn(tokens), telling));
  if (!failure || taken <= room) return { ...result, text: cut(text, room - taken) };
  return { ...result, text: '', failure: { ...failure, message: cut(failure.message, room) } };
}

/** The head that takes so many bytes as it is told. */
function headTold(text: string, maxBytes: number, telling: Telling): string {
  let part = headBytes(text, maxBytes);
  for (let bytes = utf8Bytes(telling(part)); part !== '' && bytes > maxBytes + 2; bytes = utf8Bytes(telling(part)))
    part = headBytes(part, Math.floor((utf8Bytes(part) * maxBytes) / (bytes + 1)));
  return part;
}

/** What a server adds to a conversation by its template, and what an estimate may be wrong by. */
function margin({ choice, inputTokens }: ModelWork): number {
  return Math.floor(Math.min(choice.contextBufferTokens / 4, 256 + inputTokens / 20));
}

/** Less than this is no answer: a provider that refuses it says why better than we could. */
const leastReply = 256;
