// A model of a provider that is set up: its adapter, loaded when the first session needs it, and what the set-up says of it.

import { type AgentError, isHere, type Model, type ModelRequest, reasoningLevels } from '@ai-agent/core';
import { toModel } from '../ai-sdk-model.ts';
import type { ProviderSettings } from '../config/provider-config.ts';
import type { ProviderType } from '../config/well-known.ts';
import type { Transport } from '../http/transport.ts';
import { type KnownModel, knowModel } from '../known-models.ts';
import type { AccountLimits } from '../lanes/account.ts';
import type { Lanes } from '../lanes/lanes.ts';
import { watchedFetch } from '../lanes/watched-fetch.ts';
import { lazily } from '../lazily.ts';
import { filesTakenBy } from '../taken-files.ts';
import { toCall } from '../to-call.ts';
import { openTokenizer } from '../tokenizer.ts';
import type { Traits } from '../traits.ts';
import type { Adapter, OpenAdapter } from './adapter.ts';
import { secretsIn, toEndpoint } from './endpoint.ts';

export interface SetUp {
  readonly name: string;
  readonly settings: ProviderSettings;
  readonly traits: Traits;
  /** Values that no error may show. */
  readonly secrets: readonly string[];
  readonly transport: Transport;
  /** Whom this model shares its way with. @default nobody: everybody asks at once */
  readonly lanes?: Lanes;
  readonly limits?: AccountLimits;
  readonly now: (() => number) | undefined;
}

/** Throws at once when the address, the key or a header is none. */
export function openModel(modelId: string, setUp: SetUp): Promise<Model> {
  const { name, settings, traits, transport, lanes, limits = {} } = setUp;
  const direct = toEndpoint(name, settings, transport);
  const lane = lanes?.of(direct, limits).lane(modelId);
  const endpoint = lane ? { ...direct, fetch: watchedFetch(direct.fetch, lane) } : direct;
  const secrets = [...setUp.secrets, ...secretsIn(endpoint)];
  return Promise.all([openers[settings.type](), learn(modelId, setUp)]).then(([open, learnt]) => {
    const adapter = open(modelId, endpoint, traits);
    const options = {
      ...toOptions(adapter, { ...setUp, secrets }),
      isHere: isHere(new URL(endpoint.baseUrl).hostname),
    };
    const onFailure = lane && ((failure: AgentError) => lane.failed(failure));
    const model = toModel(adapter.languageModel, onFailure ? { ...options, onFailure } : options);
    const attachments = filesTakenBy(name, settings);
    const { toolPromptTokens } = adapter;
    const known = {
      ...model,
      ...(adapter.costOf && !learnt.known.price ? { price: 'reported' as const } : {}),
      ...(toolPromptTokens === undefined ? {} : { toolPromptTokens }),
    };
    return withTraits({ ...known, attachments, ...(lane ? { lane } : {}) }, traits, learnt);
  });
}

interface Learnt {
  readonly known: KnownModel;
  readonly countTokens: Model['countTokens'];
}

/** What nobody has said, and somebody knows. */
async function learn(modelId: string, { settings, traits, now }: SetUp): Promise<Learnt> {
  const [known, countTokens] = await Promise.all([
    // Data that cannot be read is no reason not to run: what it would have said stays unknown.
    knowModel({ ...settings, model: modelId, now }).catch((): KnownModel => ({})),
    traits.tokenizer === undefined ? undefined : openTokenizer(traits.tokenizer),
  ]);
  return { known, countTokens };
}

const chat = lazily(() => import('./openai-compatible.ts').then(({ openCompatible }) => openCompatible));

const openers: Readonly<Record<ProviderType, () => Promise<OpenAdapter>>> = {
  openai: lazily(() => import('./openai.ts').then(({ openOpenAI }) => openOpenAI)),
  'openai-compatible': chat,
  anthropic: lazily(() => import('./anthropic.ts').then(({ openAnthropic }) => openAnthropic)),
  google: lazily(() => import('./google.ts').then(({ openGoogle }) => openGoogle)),
  openrouter: lazily(() => import('./openrouter.ts').then(({ openOpenRouter }) => openOpenRouter)),
  ollama: lazily(() => import('./ollama.ts').then(({ openOllama }) => openOllama)),
};

function toOptions(adapter: Adapter, { name, secrets, now, traits }: SetUp): Parameters<typeof toModel>[1] {
  const boundTo = `${name}/${adapter.languageModel.modelId}`;
  return {
    ...adapter,
    provider: name,
    secrets,
    ...(now ? { now } : {}),
    toOptions: (request) => toCall(request, adapter, { traits, boundTo }),
    mustStream: (request) => adapter.mustStream?.(request) || isHardThought(request, traits),
  };
}

function isHardThought({ settings: { reasoning } }: ModelRequest, { reasoningAutoStreamLevel: from }: Traits): boolean {
  if (from === undefined || reasoning === undefined) return false;
  return reasoningLevels.indexOf(reasoning) >= reasoningLevels.indexOf(from);
}

/** A configuration has the first word. */
function withTraits(model: Model, traits: Traits, { known, countTokens }: Learnt): Model {
  const { contextWindow: contextWindowTokens = known.contextWindow, contextWindowBufferTokens } = traits;
  const whole = {
    ...model,
    ...(contextWindowTokens === undefined ? {} : { contextWindowTokens }),
    ...(contextWindowBufferTokens === undefined ? {} : { contextBufferTokens: contextWindowBufferTokens }),
    ...(countTokens ? { countTokens } : {}),
  };
  // Models stay open for as long as the process does, and prices change: it is that of whenever somebody asks.
  return known.price ? Object.defineProperty(whole, 'price', { enumerable: true, get: () => known.price }) : whole;
}
