// Asks the tree's budget before a call and settles after it. A refusal is a value: the session wraps up with what it has.

import type { Grant, Used } from '../budget-port.ts';
import { cutResults } from '../cut-results.ts';
import { defaultSettings } from '../defaults.ts';
import { AgentError, toFailure } from '../errors.ts';
import type { Middleware, ModelAttempt, ModelWork, ToolWork } from '../middleware.ts';
import type { ModelReply } from '../model.ts';
import { chargeForAttempts, isAnswered } from '../model-attempts.ts';
import type { Reserved } from '../operation.ts';
import { costOf, dearestCost } from '../price.ts';
import { tokensOfMessage, uncountedFactor } from '../tokens.ts';
import { isKnown } from '../totals.ts';

export const budget: Middleware = {
  name: 'budget',
  perform: {
    model(estimated, next) {
      const inputTokens =
        Math.ceil(estimated.inputTokens * (estimated.tokenFactor ?? uncountedFactor)) + estimateMargin;
      const work = { ...estimated, inputTokens };
      const grant = ask(work);
      if (grant instanceof Promise && work.onWait) {
        const { provider, model } = work.choice;
        work.onWait({ provider, model, reason: 'budget' });
      }
      return grant ? callWith(work, grant, next) : next(estimated);
    },
    tool(work, next) {
      const limit = work.ports.budget.take(work.place.id, work.key, amountsOf(work));
      if (limit === undefined) return next(work);
      return Promise.resolve({ status: 'refused', text: '', failure: toFailure(exhausted(limit)) });
    },
  },
};

/** Tokens that an estimate of the input may miss: the frames of messages, and words that a server adds. */
const estimateMargin = 64;

async function callWith(
  asked: ModelWork,
  grant: Grant | Promise<Grant>,
  next: (work: ModelWork) => Promise<ModelReply>,
): Promise<ModelReply> {
  const { work, shortenedBy } = await granted(asked, await grant);
  const before = work.attempts.length;
  let reply: ModelReply | undefined;
  try {
    reply = await next(work);
    return shortenedBy && isCutAt(outputOf(work), reply) ? { ...reply, shortenedBy } : reply;
  } finally {
    work.ports.budget.settle(work.key, usedBy(work, work.attempts.slice(before), reply));
  }
}

/** A reply clearly shorter than the granted length was cut by the model's own limit. Providers may count up to a tenth less. */
function isCutAt(maxOutputTokens: number, { finishReason, usage }: ModelReply): boolean {
  return finishReason === 'length' && (usage.outputTokens ?? maxOutputTokens) >= maxOutputTokens * 0.9;
}

/** The charge for these requests: a layer below may have sent several for one reply, or none. */
function usedBy(work: ModelWork, attempts: readonly ModelAttempt[], reply: ModelReply | undefined): Used {
  for (const attempt of attempts)
    if (attempt.reply && !isKnown(attempt.usage)) attempt.charged = totalOf(estimated(attempt.reply, work));
  const own = reply ? estimated(reply, work) : nothingUsed;
  const sent = chargeForAttempts(attempts);
  const isOwnRequest = attempts.some(isAnswered);
  const all = isOwnRequest ? sent : { tokens: sent.tokens + totalOf(own).tokens, costUsd: sent.costUsd + own.costUsd };
  const inputTokens = Math.min(own.inputTokens, all.tokens);
  return { inputTokens, outputTokens: all.tokens - inputTokens, costUsd: all.costUsd };
}

const nothingUsed: Used = { inputTokens: 0, outputTokens: 0, costUsd: 0 };

function totalOf({ inputTokens, outputTokens, costUsd }: Used): Reserved {
  return { tokens: inputTokens + outputTokens, costUsd };
}

interface Granted {
  readonly work: ModelWork;
  /** The budget that leaves less output than was asked for. */
  readonly shortenedBy: string | undefined;
}

/** The work as far as the budget allows it: a shorter reply, and for a last word also shorter results rather than none. */
async function granted(work: ModelWork, grant: Grant): Promise<Granted> {
  if (grant.isGranted) {
    const { outputTokens, limit } = grant;
    const able = outputTokens < outputOf(work) ? withOutput(work, outputTokens) : work;
    return { work: { ...able, reserved: reservedFor(able) }, shortenedBy: limit };
  }
  const inputTokens = grant.inputTokens ?? work.inputTokens;
  const excess = work.inputTokens - inputTokens;
  const messages =
    work.limit !== null && excess > 0
      ? cutResults(work.request.messages, excess, { texts: work.texts, bytesPerToken: work.choice.bytesPerToken })
      : undefined;
  const shorter = messages ? { ...work, request: { ...work.request, messages }, inputTokens } : undefined;
  const again = shorter && (await ask(shorter));
  if (!shorter || !again) throw tooLittle(grant, work);
  return granted(shorter, again);
}

function ask(work: ModelWork): Grant | Promise<Grant> | undefined {
  const grant = work.ports.budget.reserve(toNeed(work, outputOf(work)), work.scope);
  return grant instanceof Promise ? work.scope.waits(grant) : grant;
}

function outputOf({ request }: ModelWork): number {
  return request.settings.maxOutputTokens ?? defaultSettings.maxOutputTokens;
}

function withOutput(work: ModelWork, maxOutputTokens: number): ModelWork {
  return { ...work, request: { ...work.request, settings: { ...work.request.settings, maxOutputTokens } } };
}

/** A session that a person has answered goes on: its call was paid for when it was made. */
function amountsOf({ call, operation }: ToolWork): readonly ('toolCalls' | 'descendants')[] {
  if (call.answered) return [];
  return operation === 'session' ? ['toolCalls', 'descendants'] : ['toolCalls'];
}

function toNeed({ place, key, inputTokens, tokenFactor, choice, limit }: ModelWork, outputTokens: number) {
  return {
    sessionId: place.id,
    key,
    inputTokens,
    outputTokens,
    price: choice.price ?? undefined,
    isLast: limit !== null,
    isFirstEstimate: tokenFactor === undefined,
  };
}

/** Figures that the provider did not report are estimated: an unknown amount must not be a free one. */
function estimated({ usage, message, costUsd }: ModelReply, { inputTokens, choice }: ModelWork): Used {
  const known = {
    inputTokens: usage.inputTokens ?? inputTokens,
    outputTokens: usage.outputTokens ?? tokensOfMessage(message, choice.bytesPerToken),
  };
  return {
    ...known,
    costUsd: costUsd ?? costOf(choice.price ?? undefined, known) ?? 0,
  };
}

function reservedFor(work: ModelWork): Reserved {
  const outputTokens = outputOf(work);
  const { inputTokens, choice } = work;
  return { tokens: inputTokens + outputTokens, costUsd: dearestCost(choice.price, { inputTokens, outputTokens }) };
}

function tooLittle(
  { limit, left }: Extract<Grant, { isGranted: false }>,
  { inputTokens, limit: last }: ModelWork,
): AgentError {
  if (left === undefined) return exhausted(limit);
  const amount = limit === 'costUsd' ? `$${Math.max(0, left).toFixed(6)}` : Math.max(0, Math.floor(left));
  const call = `a call with about ${inputTokens} tokens of input`;
  const needed =
    last === null ? `${call}, for its reply, and for a last answer after it, which reads both again` : call;
  const message = `Of the budget ${limit}, ${amount} is left: too little for ${needed}.`;
  return new AgentError('budget-exhausted', message, { limit });
}

/** Why there is nothing left of a budget for one more. */
export function exhausted(limit: string): AgentError {
  if (limit !== 'descendants')
    return new AgentError('budget-exhausted', `What is left of the budget ${limit} is too little for this call.`, {
      limit,
    });
  return new AgentError('budget-exhausted', 'This tree has had all the sub-agent sessions its budget allows.', {
    limit,
    remedy: 'Do the rest yourself, with what the sub-agents have found so far.',
  });
}
