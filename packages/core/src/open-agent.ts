// What an agent's definition comes to when a session opens: its prompt in words, and its model.

import type { Agent, PromptContext } from './agent.ts';
import { AgentError, isAgentError, messageOf } from './errors.ts';
import type { Model, ModelRef, ModelResolverOptions } from './model.ts';
import type { Ports } from './ports.ts';

export function renderInstructions(agent: Agent, context: PromptContext): string {
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

/** A model that is named or has a source is made for this session; a model itself is its owner's, and used as it is. */
export async function resolveModel(
  { name, ref }: Wanted,
  options: ModelResolverOptions,
  { models }: Ports,
): Promise<Model> {
  if (ref === undefined) throw new AgentError('model-unknown', `Agent ${name} has no such model.`);
  if (typeof ref === 'object' && 'call' in ref) return ref;
  const shown = typeof ref === 'string' ? ref : `${ref.provider}/${ref.model}`;
  try {
    const model = await (typeof ref === 'object' ? ref.open(options) : portOf(name, models)(ref, options));
    if (typeof model?.call === 'function') return model;
    const where = typeof ref === 'string' ? 'The models port' : 'Its source';
    throw new AgentError('model-unknown', `${where} gave no model for ${shown}.`);
  } catch (error) {
    if (isAgentError(error)) throw error;
    const message = `The model ${shown} of ${name} could not be made: ${messageOf(error)}`;
    throw new AgentError('model-unknown', message, { cause: error });
  }
}

function portOf(name: string, models: Ports['models']): NonNullable<Ports['models']> {
  if (models) return models;
  throw new AgentError('port-missing', `Agent ${name} names its model by a string, and there is no models port.`);
}
