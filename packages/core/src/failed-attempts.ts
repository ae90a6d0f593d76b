// Attempts that failed, as plain data, with what each used.

import { AgentError, type Failure, toFailure } from './errors.ts';
import type { ModelAttempt } from './middleware.ts';
import type { FailedAttempt } from './operation.ts';
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
      const { provider, model, startedAt, isSent, price, reserved } = attempt;
      const failure =
        attempt.failure ?? ending ?? toFailure(new AgentError('cancelled', 'Another request was answered.'));
      const usage = usageOfFailed(attempt);
      const costUsd = isZero(usage) ? 0 : costOf(price ?? undefined, usage);
      return {
        provider,
        model,
        failure,
        startedAt,
        endedAt: attempt.endedAt ?? endedAt,
        isSent,
        usage,
        ...(costUsd === undefined ? {} : { costUsd }),
        ...(reserved && !isKnown(usage) ? { charged: reserved } : {}),
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

function isZero({ inputTokens, outputTokens }: Usage): boolean {
  return inputTokens === 0 && outputTokens === 0;
}

/** Tokens of a failed request, as far as they were reported; none if it was not sent. */
export function usageOfFailed({ usage, isSent }: ModelAttempt): Usage {
  return isSent ? usage : zero;
}
