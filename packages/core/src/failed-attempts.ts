// Attempts that failed, as plain data, with what each used.

import { AgentError, type Failure, toFailure } from './errors.ts';
import type { ModelAttempt } from './middleware.ts';
import type { FailedAttempt, Reserved } from './operation.ts';
import { costOf } from './price.ts';
import { isKnown } from './totals.ts';
import type { Usage } from './usage.ts';

const zero: Usage = { inputTokens: 0, outputTokens: 0 };

/** Every attempt but the answered one, as plain data. */
export function toFailedAttempts(
  attempts: readonly ModelAttempt[],
  { answered, failure: ending, endedAt }: Ended,
): readonly FailedAttempt[] {
  return attempts
    .filter((attempt) => attempt !== answered)
    .map((attempt) => {
      const { provider, model, startedAt, isSent } = attempt;
      const failure =
        attempt.failure ?? ending ?? toFailure(new AgentError('cancelled', 'Another request was answered.'));
      return {
        provider,
        model,
        failure,
        startedAt,
        isSent,
        endedAt: attempt.endedAt ?? endedAt,
        ...usedByAttempt(attempt),
      };
    });
}

interface Ended {
  /** The request whose answer is the reply. */
  readonly answered?: ModelAttempt | undefined;
  /** Why the call ended, for a request that was on its way. */
  readonly failure?: Failure;
  readonly endedAt: number;
}

type RequestUse = Pick<FailedAttempt, 'usage' | 'costUsd' | 'charged'>;

/** Usage of a failed attempt as far as it was reported, or else its reservation. Nothing if it was not sent. */
function usedByAttempt({ isSent, usage: reported, price, reserved }: ModelAttempt): RequestUse {
  const usage = isSent ? reported : zero;
  const isZero = usage.inputTokens === 0 && usage.outputTokens === 0;
  const costUsd = isZero ? 0 : costOf(price ?? undefined, usage);
  return {
    usage,
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(reserved && !isKnown(usage) ? { charged: reserved } : {}),
  };
}

/** Tokens and money that budgets are charged for failed attempts. */
export function chargeForAttempts(attempts: readonly ModelAttempt[]): Reserved {
  return chargeFor(attempts.map(usedByAttempt));
}

/** Tokens and money that budgets are charged for these requests. */
export function chargeFor(requests: readonly RequestUse[]): Reserved {
  const tokensOf = ({ usage: { inputTokens = 0, outputTokens = 0 } }: RequestUse) => inputTokens + outputTokens;
  return {
    tokens: requests.reduce((sum, one) => sum + (one.charged?.tokens ?? tokensOf(one)), 0),
    costUsd: requests.reduce((sum, one) => sum + (one.charged?.costUsd ?? one.costUsd ?? 0), 0),
  };
}
