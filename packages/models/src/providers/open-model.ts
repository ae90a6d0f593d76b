// A model of a provider that is set up: its adapter, loaded when the first session needs it, and what the set-up says of it.

import { type AgentError, type Model, type ModelRequest, reasoningLevels } from '@ai-agent/core';
import { toModel } from '../ai-sdk-model.ts';
import type { ProviderSettings } from '../config/provider-config.ts';
import type { ProviderType } from '../config/well-known.ts';
import type { Transport } from '../http/transport.ts';
import type { LaneLimits } from '../lanes/lane.ts';
import type { Lanes } from '../lanes/lanes.ts';
import { watchedFetch } from '../lanes/watched-fetch.ts';
import { lazily } from '../lazily.ts';
import { toCall } from '../to-call.ts';
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
  readonly limits?: LaneLimits;
  readonly now: (() => number) | undefined;
}

/** Throws at once when the address, the key or a header is none. */
export function openModel(modelId: string, setUp: SetUp): Promise<Model> {
  const { name, settings, traits, transport, lanes, limits = {} } = setUp;
  const direct = toEndpoint(name, settings, transport);
  const lane = lanes?.of({ type: settings.type, endpoint: direct, limits });
  const endpoint = lane ? { ...direct, fetch: watchedFetch(direct.fetch, lane) } : direct;
  const secrets = [...setUp.secrets, ...secretsIn(endpoint)];
  return openers[settings.type]().then((open) => {
    const adapter = open(modelId, endpoint, traits);
    const options = toOptions(adapter, { ...setUp, secrets });
    if (!lane) return withTraits(toModel(adapter.languageModel, options), traits);
    const onFailure = (failure: AgentError) => lane.failed(failure);
    return { ...withTraits(toModel(adapter.languageModel, { ...options, onFailure }), traits), lane };
  });
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

function withTraits(model: Model, traits: Traits): Model {
  const { contextWindow: contextWindowTokens, contextWindowBufferTokens: contextBufferTokens } = traits;
  return {
    ...model,
    ...(contextWindowTokens === undefined ? {} : { contextWindowTokens }),
    ...(contextBufferTokens === undefined ? {} : { contextBufferTokens }),
  };
}
