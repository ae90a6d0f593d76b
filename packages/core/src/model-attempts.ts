// Attempts of a model call as plain data, with what each used.

import { AgentError, type Failure, toFailure } from './errors.ts';
import type { ModelAttempt } from './middleware.ts';
import type { ModelReply } from './model.ts';
import { chargeFor, isCutOff, type RequestUse } from './model-requests.ts';
import type { ModelRequestRecord, ModelResult, Reserved } from './operation.ts';
import { costOf } from './price.ts';
import { isKnown } from './totals.ts';
import type { Usage } from './usage.ts';

interface EndedCall extends Pick<ModelResult, 'provider' | 'model' | 'reply' | 'failure'> {
  readonly startedAt: number;
  readonly endedAt: number;
}

/** In the order they were sent. A call without a request has one record: of the layer that replied, or of the refusal. */
export function toRequests(attempts: readonly ModelAttempt[], call: EndedCall): readonly ModelRequestRecord[] {
  const { reply, failure, endedAt } = call;
  const ending = failure ?? toFailure(new AgentError('cancelled', 'Another request was answered.'));
  const sent = attempts.map((attempt) => toRecord(attempt, { ending, endedAt }));
  if (reply ? attempts.some(isAnswered) : attempts.length > 0) return sent;
  const { provider, model, startedAt } = call;
  const record = { provider, model, endedAt };
  if (reply) return [...sent, { ...record, startedAt, status: 'ok', ...usedBy(reply) }];
  return [{ ...record, startedAt: endedAt, status: 'refused', usage: {}, failure: ending }];
}

interface CallEnd {
  /** The failure of a request that was under way when the call ended. */
  readonly ending: Failure;
  readonly endedAt: number;
}

function toRecord(attempt: ModelAttempt, { ending, endedAt }: CallEnd): ModelRequestRecord {
  const { provider, model, startedAt, reply } = attempt;
  const failure = attempt.failure ?? ending;
  return {
    provider,
    model,
    startedAt,
    endedAt: attempt.endedAt ?? endedAt,
    ...usedByAttempt(attempt),
    ...(reply ? { status: 'ok' } : { status: statusOf(attempt, failure), failure }),
  };
}

function statusOf({ isSent }: ModelAttempt, failure: Failure): ModelRequestRecord['status'] {
  if (!isSent) return 'refused';
  return isCutOff(failure) ? 'cancelled' : 'failed';
}

export function isAnswered({ reply }: ModelAttempt): boolean {
  return reply !== undefined;
}

/** Usage as far as it was reported. Nothing if the request was not sent. */
function usedByAttempt({ isSent, usage, price, reply, reserved, charged = reserved }: ModelAttempt): RequestUse {
  if (!isSent) return { usage: { inputTokens: 0, outputTokens: 0 }, costUsd: 0 };
  const costUsd = reply ? reply.costUsd : costOfPart(price, usage);
  return {
    usage,
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(charged && !isKnown(usage) ? { charged } : {}),
  };
}

/** Cost of the usage that a failed request reported. */
function costOfPart(price: ModelAttempt['price'], usage: Usage): number | undefined {
  const { inputTokens = 0, outputTokens = 0 } = usage;
  if (inputTokens + outputTokens === 0) return isKnown(usage) ? 0 : undefined;
  return costOf(price ?? undefined, { ...usage, inputTokens, outputTokens });
}

function usedBy({ usage, costUsd }: ModelReply): RequestUse {
  return { usage, ...(costUsd === undefined ? {} : { costUsd }) };
}

/** Tokens and money that budgets are charged for these attempts. */
export function chargeForAttempts(attempts: readonly ModelAttempt[]): Reserved {
  return chargeFor(attempts.map(usedByAttempt));
}
