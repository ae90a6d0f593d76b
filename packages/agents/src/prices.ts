// What the configuration of an agent says of prices, and several such books as one.

import type { PriceResolver } from '@ai-agent/core';
import type { Configuration } from './config/configuration.ts';
import { placeWithin } from './config/entry.ts';
import type { Problems } from './problem.ts';
import type { World } from './world.ts';

/** Undefined when it says nothing. What is of the wrong type was told when the file was checked. */
export function pricesIn(
  configuration: Configuration,
  { world: { providers }, problems }: { readonly world: World; readonly problems: Problems },
): PriceResolver | undefined {
  const pricing = configuration.section('pricing');
  if (!pricing) return undefined;
  for (const { severity, code, path, message } of providers.checkPrices(pricing.value))
    if (severity === 'warning') problems.warn(code, placeWithin(pricing, ['pricing'], path), message);
  return providers.toPrices(pricing.value);
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
