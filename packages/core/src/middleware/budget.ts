// Asks the tree's budget before a call and settles after it. A refusal is a value: the session wraps up with what it has.

import type { Used } from '../budget-port.ts';
import { cutResults } from '../cut-results.ts';
import { defaultSettings } from '../defaults.ts';
import { AgentError, toFailure } from '../errors.ts';
import type { Middleware, ModelWork } from '../middleware.ts';
import type { ModelReply } from '../model.ts';
import { costOf } from '../price.ts';
import { tokensOfMessage } from '../tokens.ts';

export const budget: Middleware = {
  name: 'budget',
  perform: {
    async model(work, next) {
      const granted = await reserve(work);
      let used: Used | undefined;
      try {
        const reply = await next(granted);
        used = usedBy(reply, granted);
        return reply;
      } finally {
        work.ports.budget.settle(work.key, used);
      }
    },
    async tool(work, next) {
      const amounts = work.operation === 'session' ? sessionAmounts : toolAmounts;
      const limit = work.ports.budget.take(work.place.id, work.key, amounts);
      if (limit === undefined) return next(work);
      return { status: 'refused', text: '', failure: toFailure(exhausted(limit)) };
    },
  },
};

/** The work as far as the budget allows it: a shorter reply, and for a last word also shorter results rather than none. */
async function reserve(work: ModelWork): Promise<ModelWork> {
  const asked = work.request.settings.maxOutputTokens ?? defaultSettings.maxOutputTokens;
  const grant = await work.ports.budget.reserve(toNeed(work, asked), work.scope);
  if (grant.isGranted) return grant.outputTokens < asked ? withOutput(work, grant.outputTokens) : work;
  const inputTokens = grant.inputTokens ?? work.inputTokens;
  const excess = work.inputTokens - inputTokens;
  const messages =
    work.limit !== null && excess > 0 ? cutResults(work.request.messages, excess, work.texts) : undefined;
  if (!messages) throw exhausted(grant.limit);
  return reserve({ ...work, request: { ...work.request, messages }, inputTokens });
}

function withOutput(work: ModelWork, maxOutputTokens: number): ModelWork {
  return { ...work, request: { ...work.request, settings: { ...work.request.settings, maxOutputTokens } } };
}

const toolAmounts = ['toolCalls'] as const;
const sessionAmounts = ['toolCalls', 'descendants'] as const;

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
    ...known,
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
