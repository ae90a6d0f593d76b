// A model call as an operation: handed to the runtime, counted, and recorded as facts. Used by turns and by the summary step.

import { AgentError } from './errors.ts';
import type { ModelRequest } from './model.ts';
import { totalsOfCall } from './model-requests.ts';
import type { ModelInput, ModelResult, ModelTask } from './operation.ts';
import type { SessionState } from './state.ts';

export interface ModelCall extends Pick<ModelInput, 'turn' | 'inputTokens' | 'limit' | 'step'> {
  /** The name of the operation. */
  readonly op: string;
  readonly request: ModelRequest;
}

/** With a reply or a failure; rejects only when the session is cancelled. */
export async function askModel(state: SessionState, { op, ...call }: ModelCall): Promise<ModelResult> {
  const { facts, opened, runtime, transcript } = state.parts;
  const { turn, request, inputTokens, limit } = call;
  const { provider = '', model = '' } = opened.models[0] ?? {};
  const step = call.step ? { step: call.step } : {};
  const subject = { turn, index: 0 };
  facts.write({ type: 'model-start', op, turn, provider, model, ...step }, subject);
  const { isCorrected } = transcript;
  const input = { turn, request, models: opened.models, inputTokens, isCorrected, limit, ...step };
  let result: ModelResult | undefined;
  await runtime.do<ModelTask>(
    { type: 'task', task: 'model', name: op, input },
    ({ startedAt, endedAt, ...settled }) => {
      result = settled.ok ? settled.value : { provider, model, requests: [], failure: settled.failure };
      facts.advance(endedAt);
      state.spend(totalsOfCall(result));
      facts.write({ type: 'model-end', op, turn, startedAt, endedAt, ...step, ...result }, subject);
    },
  );
  if (!result) throw new AgentError('seam-broken', `The runtime returned no result for ${op}.`);
  return result;
}
