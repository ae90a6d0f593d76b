// Tries a model again, then the next of the list. The conversation stays as it is, whoever answers.

import { backoff } from '../defaults.ts';
import { AgentError, type Failure, toFailure } from '../errors.ts';
import type { Middleware, ModelAttempt, ModelWork, Wait } from '../middleware.ts';
import type { ModelReply } from '../model.ts';
import { sleep } from '../sleep.ts';
import { hash } from '../text.ts';

export const modelFallback: Middleware = {
  name: 'model-fallback',
  perform: {
    async model(work, next) {
      const choices = fitting(work);
      for (const [i, choice] of choices.entries()) {
        if (i > 0) tellWait({ ...work, choice }, 'fallback', 0);
        const own = choice === work.choice ? work : { ...work, choice };
        const reply = await tryModel(own, next, { isLast: i === choices.length - 1 });
        if (reply) return reply;
      }
      throw new AgentError('internal', 'The agent has no model to ask.');
    },
  },
};

/**
 * Who cannot take the conversation is passed over, and who would have little room left to answer comes last; when nobody can
 * take it, the roomiest may say so: ours is an estimate.
 */
function fitting({ choices, inputTokens }: ModelWork): ModelWork['choices'] {
  if (choices.length === 1) return choices;
  const able = choices.filter(({ contextWindowTokens }) => inputTokens < contextWindowTokens);
  const hasRoom = ({ contextWindowTokens }: ModelWork['choice']) => inputTokens <= contextWindowTokens * 0.75;
  if (able.length > 0) return [...able.filter(hasRoom), ...able.filter((choice) => !hasRoom(choice))];
  const largest = Math.max(...choices.map(({ contextWindowTokens }) => contextWindowTokens));
  return choices.filter(({ contextWindowTokens }) => contextWindowTokens === largest);
}

/** The reply, or nothing when the next model should be asked; rejects when there is none. */
async function tryModel(
  work: ModelWork,
  next: (work: ModelWork) => Promise<ModelReply>,
  { isLast }: { readonly isLast: boolean },
): Promise<ModelReply | undefined> {
  const { scope, attempts } = work;
  const ask = patiently(next, isLast);
  for (let request = 1; ; request++) {
    const before = attempts.length;
    const isSent = () => attempts.length > before;
    try {
      return await ask(work, isSent);
    } catch (error) {
      scope.throwIfAborted();
      const failure = toFailure(error, 'model-failed');
      const waitMs = isTurnedBack(failure, isSent()) ? undefined : waitBefore(request, failure, work, isLast);
      noteFailure(work, failure, attempts.slice(before).at(-1));
      // A budget that has run out is the same for every model.
      if (failure.class === 'budget' || (waitMs === undefined && isLast)) throw error;
      if (waitMs === undefined) return undefined;
      tellWait(work, 'retry', waitMs);
      await pause(work, waitMs);
    }
  }
}

/** A layer below may give a request another failure, such as a timeout. */
function noteFailure(
  { attempts, choice: { provider, model, price }, ports }: ModelWork,
  failure: Failure,
  sent: ModelAttempt | undefined,
): void {
  const endedAt = ports.clock.now();
  if (sent) Object.assign(sent, { failure, endedAt: sent.endedAt ?? endedAt });
  else attempts.push({ provider, model, price, startedAt: endedAt, endedAt, isSent: false, usage: {}, failure });
}

/** To whoever looks on; `after` is what failed, of what was sent the last attempt. */
function tellWait(
  work: ModelWork,
  reason: Wait['reason'],
  waitMs: number,
  after = work.attempts.at(-1)?.failure,
): void {
  const { provider, model } = work.choice;
  work.onWait?.({ provider, model, reason, waitMs, ...(after ? { failure: after } : {}) });
}

/** True if a rate limit of this process refused the request for now. */
function isTurnedBack({ code, retryAfterMs }: Failure, isSent: boolean): boolean {
  return !isSent && code === 'model-rate-limit' && retryAfterMs !== undefined;
}

/** Whom the last model turns back comes again when it was told to: no request was sent, so none is counted. */
function patiently(next: (work: ModelWork) => Promise<ModelReply>, isLast: boolean) {
  let since: number | undefined;
  return async (work: ModelWork, isSent: () => boolean): Promise<ModelReply> => {
    const { scope, ports } = work;
    for (;;) {
      try {
        return await next(work);
      } catch (error) {
        scope.throwIfAborted();
        const failure = toFailure(error, 'model-failed');
        if (!isLast || !isTurnedBack(failure, isSent())) throw error;
        since ??= ports.clock.now();
        const waitMs = Math.max(failure.retryAfterMs ?? 0, backoff.firstMs);
        if (ports.clock.now() + waitMs - since > patienceOf(work)) throw error;
        tellWait(work, 'rate_limit', waitMs, failure);
        // It is queueing, which is nobody's time.
        await scope.waits(sleep(ports.clock, waitMs, scope.signal));
      }
    }
  };
}

/** How long the last model is waited for. */
function patienceOf({ limits }: ModelWork): number {
  return Math.max(limits.llmTimeoutMs, backoff.longestMs);
}

/** How long to wait before the next request to the same model; undefined when that is no use. */
function waitBefore(request: number, failure: Failure, work: ModelWork, isLast: boolean): number | undefined {
  if (!failure.retryable || request >= work.limits.maxRetries) return undefined;
  const fullMs = Math.min(backoff.longestMs, backoff.firstMs * 2 ** (request - 1));
  // Chance without a die: calls differ from each other, and a replay does the same again.
  const chance = Number.parseInt(hash(`${work.key}#${request}`), 16) / 2 ** 32;
  const waitMs = Math.max(Math.round(fullMs * (0.5 + chance / 2)), failure.retryAfterMs ?? 0);
  const longestMs = isLast ? patienceOf(work) : backoff.longestMs;
  return waitMs <= longestMs ? waitMs : undefined;
}

/** Nobody else is kept waiting meanwhile, and yet it is this session's time. */
async function pause({ ports, scope, place, key }: ModelWork, durationMs: number): Promise<void> {
  const end = ports.budget.begin(place.id, key);
  const rest = scope.work();
  try {
    await sleep(ports.clock, durationMs, scope.signal);
  } finally {
    end?.();
    rest?.();
  }
}
