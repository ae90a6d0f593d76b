// Asks the tree's budget before a call and settles after it. A refusal is a value: the session wraps up with what it has.

import type { Used } from '../budget-port.ts';
import { defaultSettings } from '../defaults.ts';
import { AgentError, toFailure } from '../errors.ts';
import type { Middleware, ModelWork, ToolWork } from '../middleware.ts';
import type { ModelReply } from '../model.ts';
import { costOf } from '../price.ts';
import { tokensOfMessage } from '../tokens.ts';

export const budget: Middleware = {
  name: 'budget',
  perform: {
    async model(work, next) {
      const { settings } = work.request;
      const asked = settings.maxOutputTokens ?? defaultSettings.maxOutputTokens;
      const grant = await work.ports.budget.reserve(toNeed(work, asked), work.scope);
      if (!grant.isGranted) throw exhausted(grant.limit);
      const request =
        grant.outputTokens < asked
          ? { ...work.request, settings: { ...settings, maxOutputTokens: grant.outputTokens } }
          : work.request;
      let used: Used | undefined;
      try {
        const reply = await next({ ...work, request });
        used = usedBy(reply, work);
        return reply;
      } finally {
        work.ports.budget.settle(work.key, used);
      }
    },
    async tool(work, next) {
      const limit = work.ports.budget.take(work.place.id, work.key, amountsOf(work));
      if (limit === undefined) return next(work);
      return { status: 'refused', text: '', failure: toFailure(exhausted(limit)) };
    },
  },
};

/** A session that a person has answered goes on: its call was paid for when it was made. */
function amountsOf({ call, operation }: ToolWork): readonly ('toolCalls' | 'descendants')[] {
  if (call.answered) return [];
  return operation === 'session' ? ['toolCalls', 'descendants'] : ['toolCalls'];
}

function toNeed({ place, key, inputTokens, choice, limit }: ModelWork, outputTokens: number) {
  return {
    sessionId: place.id,
    key,
    inputTokens,
    outputTokens,
    price: choice.price ?? undefined,
    isLast: limit !== null,
  };
}

/** What nobody reported is charged by estimate: an unknown amount must not be a free one. */
function usedBy({ usage, message, costUsd }: ModelReply, { inputTokens, choice }: ModelWork): Used {
  const known = {
    inputTokens: usage.inputTokens ?? inputTokens,
    outputTokens: usage.outputTokens ?? tokensOfMessage(message),
  };
  return {
    tokens: known.inputTokens + known.outputTokens,
    costUsd: costUsd ?? costOf(choice.price ?? undefined, known) ?? 0,
  };
}

function exhausted(limit: string): AgentError {
  if (limit !== 'descendants')
    return new AgentError('budget-exhausted', `What is left of the budget ${limit} is too little for this call.`, {
      limit,
    });
  return new AgentError('budget-exhausted', 'This tree has had all the sub-agent sessions its budget allows.', {
    limit,
    remedy: 'Do the rest yourself, with what the sub-agents have found so far.',
  });
}
