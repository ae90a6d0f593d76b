// One call of the model as an operation: handed over, counted, and told as facts. For turns, and for what the house asks itself.

import type { ModelRequest } from './model.ts';
import type { ModelInput, ModelResult } from './operation.ts';
import type { SessionState } from './state.ts';
import { modelCallTotals } from './totals.ts';

export interface ModelCall extends Pick<ModelInput, 'turn' | 'inputTokens' | 'limit' | 'step'> {
  /** The name of the operation. */
  readonly op: string;
  readonly request: ModelRequest;
}

/** With a reply or a failure; rejects only when the session is cancelled. */
export async function askModel(state: SessionState, { op, ...call }: ModelCall): Promise<ModelResult> {
  const { facts, opened, runtime } = state.parts;
  const { turn, request, inputTokens, limit } = call;
  const { provider = '', model = '' } = opened.models[0] ?? {};
  const step = call.step ? { step: call.step } : {};
  const subject = { turn, index: 0 };
  facts.write({ type: 'model-start', op, turn, provider, model, ...step }, subject);
  const input = { turn, request, models: opened.models, inputTokens, limit, ...step };
  const settled = await runtime.do({ type: 'task', task: 'model', name: op, input });
  const result: ModelResult = settled.ok ? settled.value : { provider, model, attempts: [], failure: settled.failure };
  const { startedAt, endedAt } = settled;
  facts.advance(endedAt);
  state.spend(
    modelCallTotals({
      latencyMs: endedAt - startedAt,
      failed: !result.reply,
      isRefused: result.failure?.code === 'budget-exhausted',
      usage: result.reply?.usage,
      costUsd: result.reply?.costUsd,
    }),
  );
  facts.write({ type: 'model-end', op, turn, startedAt, endedAt, ...step, ...result }, subject);
  return result;
}
