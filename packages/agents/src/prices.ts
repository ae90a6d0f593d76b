// What the configuration of an agent says of prices, and several such books as one.

import type { Agent, ModelRef, PriceResolver } from '@ai-agent/core';
import type { BoundModel } from './bind-models.ts';
import type { Configuration } from './config/configuration.ts';
import { placeWithin } from './config/entry.ts';
import type { Value } from './options/read-options.ts';
import type { Problems } from './problem.ts';
import type { World } from './world.ts';

interface Checking {
  readonly world: World;
  readonly problems: Problems;
}

/** Empty when it says nothing. Wrong types and unknown keys were reported when the file was checked. */
export function pricesIn(
  configuration: Configuration,
  { world: { providers }, problems }: Checking,
): readonly PriceResolver[] {
  const pricing = configuration.section('pricing');
  if (!pricing) return [];
  for (const { severity, code, path, message } of providers.checkPrices(pricing.value))
    if (severity === 'warning' && code !== 'key-unknown')
      problems.warn(code, placeWithin(pricing, ['pricing'], path), message);
  return [providers.toPrices(pricing.value)];
}

/** The first that knows a price has it. */
export function toOneBook(books: readonly PriceResolver[]): PriceResolver | undefined {
  if (books.length < 2) return books[0];
  return async (provider, model) => {
    for (const book of books) {
      const price = await book(provider, model);
      if (price !== undefined) return price;
    }
    return undefined;
  };
}

/** A budget.costUsd needs the price of every model of its tree. */
export async function checkMoney(team: Priced, said: Value | undefined, { world, problems }: Checking): Promise<void> {
  if (!said || world.mayLackPrices || world.purpose === 'help' || world.purpose === 'tools') return;
  const prices = team.session.ports?.prices ?? world.providers.toPrices({});
  for (const [ref, models] of modelsOf(team)) {
    const slash = ref.indexOf('/');
    const listed = await prices(ref.slice(0, slash), ref.slice(slash + 1));
    if (listed === undefined && !(await areAllKnown(models))) problems.error('price-unknown', said.place, noPrice(ref));
  }
}

function noPrice(ref: string): string {
  return `No price for ${ref}, so budget.costUsd cannot be enforced. Add it under \`pricing\` in .ai-agent.json.`;
}

/** By one name, agents may mean models at different addresses. */
async function areAllKnown(models: readonly ModelRef[]): Promise<boolean> {
  const known = await Promise.all(models.map(async (model) => isBound(model) && (await model.price()) !== undefined));
  return known.every(Boolean);
}

function isBound(model: ModelRef): model is BoundModel {
  return typeof model === 'object' && 'price' in model && typeof model.price === 'function';
}

interface Priced {
  readonly agent: Pick<Agent, 'model' | 'toolOutput'>;
  readonly session: { readonly ports?: { readonly prices: PriceResolver } };
  readonly children: readonly Priced[];
}

function modelsOf(team: Priced): ReadonlyMap<string, readonly ModelRef[]> {
  const all = new Set([team]);
  // What is added on the way is visited too.
  for (const { children } of all) for (const child of children) all.add(child);
  const refs = [...all].flatMap(
    ({ agent: { model, toolOutput } }) => [model, toolOutput?.models ?? []].flat() as ModelRef[],
  );
  return Map.groupBy(refs, (ref) => (typeof ref === 'string' ? ref : `${ref.provider}/${ref.model}`));
}
