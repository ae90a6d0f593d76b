// What an agent's definition comes to when a session opens: its prompt in words, and its model.

import type { Agent } from './agent.ts';
import { AgentError, isAgentError, messageOf } from './errors.ts';
import type { Model, ModelRef } from './model.ts';
import type { EnvOverlay, Ports } from './ports.ts';

export function renderInstructions(agent: Agent, context: { readonly now: number; readonly env: EnvOverlay }): string {
  if (typeof agent.instructions === 'string') return agent.instructions;
  let rendered: unknown;
  try {
    rendered = agent.instructions(context);
  } catch (error) {
    const message = `The instructions of ${agent.name} could not be rendered: ${messageOf(error)}`;
    throw new AgentError('agent-invalid', message, { cause: error });
  }
  if (typeof rendered === 'string') return rendered;
  throw new AgentError(
    'agent-invalid',
    `The instructions of ${agent.name} rendered to ${typeof rendered}, not to text.`,
  );
}

interface Wanted {
  /** The agent that wants it. */
  readonly name: string;
  readonly ref: ModelRef | undefined;
}

/** A model that is named by a string is made for this session; an object is its owner's, and used as it is. */
export async function resolveModel({ name, ref }: Wanted, env: EnvOverlay, ports: Ports): Promise<Model> {
  if (typeof ref === 'object') return ref;
  if (ref === undefined) throw new AgentError('model-unknown', `Agent ${name} has no such model.`);
  if (!ports.models) {
    throw new AgentError('port-missing', `Agent ${name} names its model by a string, and there is no models port.`);
  }
  try {
    const model = await ports.models(ref, { env });
    if (typeof model?.call === 'function') return model;
    throw new AgentError('model-unknown', `The models port gave no model for ${ref}.`);
  } catch (error) {
    if (isAgentError(error)) throw error;
    const message = `The model ${ref} of ${name} could not be made: ${messageOf(error)}`;
    throw new AgentError('model-unknown', message, { cause: error });
  }
}
