// What everybody may know of a model at a public address: what it costs, and how long a conversation may be. From a
// data package that is loaded when the first such model is opened, and asks nobody.

import type { Price } from '@ai-agent/core';
import type { MatchLogic, ModelInfo, ModelPrice, Provider } from '@pydantic/genai-prices';
import type { ProviderType } from './config/well-known.ts';
import { lazily } from './lazily.ts';

export interface ModelAddress {
  readonly type: ProviderType;
  readonly baseUrl: string;
  readonly model: string;
  /** Milliseconds since 1970: some prices begin on a day, or at an hour. @default as the package has it */
  readonly now: (() => number) | undefined;
}

export interface KnownModel {
  /** Of the moment when it is looked at. Undefined when nobody knows: never free, and never a guess. */
  readonly price?: Price | undefined;
  readonly contextWindow?: number | undefined;
}

/** Nothing of a server on this machine or in this network, whatever its models are called. */
export async function knowModel({ type, baseUrl, model, now }: ModelAddress): Promise<KnownModel> {
  if (type === 'ollama' || !isPublic(baseUrl)) return {};
  const data = await loadData();
  const provider = data.findProvider({ providerApiUrl: baseUrl });
  if (!provider || !isAt(baseUrl, provider)) return {};
  const modelId = model.replace(/^models\//, '');
  const look = () => {
    const known = data.calcPrice({}, modelId, { provider, ...(now ? { timestamp: new Date(now()) } : {}) });
    return known && isMeant(modelId, known.model) ? known : undefined;
  };
  const known = look();
  if (!known) return {};
  const price = toPrice(known.model_price);
  const { context_window: contextWindow, prices } = known.model;
  if (!Array.isArray(prices)) return { price, contextWindow };
  return {
    contextWindow,
    get price() {
      const atThisTime = look();
      return atThisTime && toPrice(atThisTime.model_price);
    },
  };
}

const loadData = lazily(() => import('@pydantic/genai-prices'));

const inside = /\.(?:localhost|local|internal|intranet|lan|home|corp|private|test|home\.arpa)$/;

/** A name that the whole world resolves; addresses in figures and one-word hosts are somebody's own. */
function isPublic(baseUrl: string): boolean {
  const url = URL.parse(baseUrl);
  if (url?.protocol !== 'https:') return false;
  const { hostname } = url;
  return /\.[a-z][a-z\d-]*$/.test(hostname) && !inside.test(hostname);
}

/** What begins like the address of a provider may still be another's: api.openai.com.example.net. */
function isAt(baseUrl: string, { api_pattern: pattern }: Provider): boolean {
  const [begin = ''] = new RegExp(`^(?:${pattern})`).exec(baseUrl) ?? [];
  const { origin = '' } = URL.parse(baseUrl) ?? {};
  return begin.endsWith('.') || begin.length >= origin.length || origin.startsWith(`${begin}:`);
}

/** The data may take all that begins with a name for one model. Only versions of the very same are: by a date or a number. */
function isMeant(modelId: string, { match }: ModelInfo): boolean {
  const id = modelId.toLowerCase();
  return isNamed(id, match) || isNamed(id.replace(/-(20\d\d)(\d\d)(\d\d)(?=[-:]|$)/, '-$1-$2-$3'), match);
}

function isNamed(id: string, match: MatchLogic): boolean {
  if ('or' in match) return match.or.some((one) => isNamed(id, one));
  if ('and' in match) return match.and.every((one) => isNamed(id, one));
  if ('regex' in match) return new RegExp(match.regex).test(id);
  const [word = ''] = Object.values(match) as string[];
  const name = word.toLowerCase();
  if ('equals' in match || !id.startsWith(name)) return id === name;
  return version.test(id.slice(name.length));
}

const version = /^(?:\d{4})?(?:(?:^|[-@:])(?:latest|preview|exp|\d{3,8}|\d{2}-\d{2}|\d{2}-\d{4}|\d{4}-\d{2}-\d{2}))*$/;

/** What is charged by the call, or for thoughts apart, is no price that our figures could be reckoned with. */
const otherUnits = ['requests_kcount', 'output_reasoning_mtok', 'output_citation_mtok'];

function toPrice(prices: ModelPrice): Price | undefined {
  if (otherUnits.some((unit) => prices[unit] !== undefined)) return undefined;
  const own = ratesFrom(prices, -1);
  if (!own) return undefined;
  const above = [...new Set(Object.values(rateKeys).flatMap((key) => startsOf(prices[key])))]
    .sort((a, b) => a - b)
    .flatMap((inputTokens) => {
      const rates = ratesFrom(prices, inputTokens);
      return rates ? [{ inputTokens, ...rates }] : [];
    });
  return above.length === 0 ? own : { ...own, above };
}

type PackagePrice = ModelPrice[string];

const rateKeys = {
  input: 'input_mtok',
  output: 'output_mtok',
  cacheRead: 'cache_read_mtok',
  cacheWrite: 'cache_write_mtok',
} as const;

function startsOf(price: PackagePrice): readonly number[] {
  return typeof price === 'object' ? price.tiers.map(({ start }) => start) : [];
}

/** What holds once the input is above `start`. */
function ratesFrom(prices: ModelPrice, start: number): Omit<Price, 'above'> | undefined {
  const rates = Object.entries(rateKeys).flatMap(([rate, key]) => {
    const amount = amountFrom(prices[key], start);
    return amount === undefined ? [] : [[rate, amount] as const];
  });
  const { input, output, ...caches } = Object.fromEntries(rates) as Partial<Record<keyof typeof rateKeys, number>>;
  return input === undefined || output === undefined ? undefined : { input, output, ...caches };
}

function amountFrom(price: PackagePrice, start: number): number | undefined {
  if (typeof price !== 'object') return price;
  let [amount, from] = [price.base, -1];
  for (const tier of price.tiers)
    if (tier.start <= start && tier.start > from) [amount, from] = [tier.price, tier.start];
  return amount;
}
