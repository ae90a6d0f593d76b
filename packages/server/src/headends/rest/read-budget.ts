// What a request lets its run use at most.

import { AgentError, type Budget, checkBudget, messageOf } from '@ai-agent/core';

/** Throws `request-invalid`. */
export function readBudget(given: unknown): Budget | undefined {
  if (given === undefined) return undefined;
  try {
    checkBudget({ name: 'the request' }, given);
  } catch (error) {
    throw new AgentError('request-invalid', messageOf(error), { cause: error });
  }
  return given as Budget;
}
