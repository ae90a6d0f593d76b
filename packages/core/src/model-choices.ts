// The models of an agent as a model call may choose among them.

import { AgentError } from './errors.ts';
import type { ModelChoice } from './middleware.ts';
import type { Model, ModelReply } from './model.ts';
import type { OpenedModel } from './operation.ts';
import type { Prepared } from './prepared.ts';
import { costOf } from './price.ts';
import type { Setting } from './setting.ts';

export function toChoices(
  models: readonly OpenedModel[],
  { prepared, inherited }: Pick<Setting, 'inherited'> & { readonly prepared: Prepared },
): readonly ModelChoice[] {
  return models.map((opened, i) => {
    const isUncounted = opened.price === null && inherited.isMoneyCounted;
    const open = () => (isUncounted ? lacksPrice(opened, prepared.model(i)) : prepared.model(i));
    return { ...opened, open };
  });
}

/** Throws why the model could not be made when the session opened, or that no price is known if it could be made since. */
async function lacksPrice({ provider, model }: OpenedModel, made: Promise<Model>): Promise<never> {
  await made;
  throw new AgentError(
    'price-unknown',
    `No price for ${provider}/${model}, so the costUsd of a budget cannot be enforced.`,
  );
}

/** Of a list, who of it is opened is told; one alone is always the one. */
export function noted(choices: readonly ModelChoice[], tell: (choice: ModelChoice) => void): readonly ModelChoice[] {
  if (choices.length === 1) return choices;
  return choices.map((choice) => {
    const open = () => {
      tell(choice);
      return choice.open();
    };
    return { ...choice, open };
  });
}

/** What a provider reports wins over what its price comes to. */
export function withCost(reply: ModelReply, { price }: ModelChoice): ModelReply {
  const costUsd = reply.costUsd ?? costOf(price ?? undefined, reply.usage);
  return costUsd === undefined ? reply : { ...reply, costUsd };
}
