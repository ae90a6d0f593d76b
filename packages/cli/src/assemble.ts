// The composition root: introduces the packages to each other, and to this process.

import { homedir, hostname, platform, release, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';
import type { Choice, HostFacts, NamedModel, Providers, World } from '@ai-agent/agents';
import {
  describePricing,
  describeProvider,
  filesTakenBy,
  findLocalOllama,
  knownPrice,
  type Models,
  type Pricing,
  type ProbedModel,
  type ProviderConfig,
  priceBook,
  probeModels,
  wellKnown,
} from '@ai-agent/models';
import { models as ownModels, ownPrices, systemClock } from './platform.ts';

export interface Asked extends Omit<World, 'host' | 'providers' | 'importModule' | 'chooseModel'> {
  /** Whether a server on this machine may be looked for. */
  readonly mayProbe: boolean;
  /** Who opens models. @default those of this process */
  readonly models?: Pick<Models, 'open'> | undefined;
}

/** Everything that loading agents needs to know. */
export function toWorld({ mayProbe, models = ownModels, ...asked }: Asked): World {
  const ollama = toAddress(asked.env.OLLAMA_HOST);
  let local: Promise<string | undefined> | undefined;
  // Asked once, however many files name no model.
  const findLocal = () => {
    local ??= mayProbe ? findLocalOllama({ baseUrl: ollama }) : Promise.resolve(undefined);
    return local;
  };
  return {
    ...asked,
    host: hostFacts(asked.cwd),
    providers: toProviders(ollama, models),
    // Loaded by the first who has a plugin.
    importModule: async (path) => (await import('./import-module.ts')).importModule(path),
    chooseModel: (lookUp) => chooseModel(lookUp, findLocal),
  };
}

/** Where the command was started, and what is set there. */
export function processPlaces(): Pick<World, 'cwd' | 'env' | 'homeFolder' | 'systemFolder'> {
  const home = homeFolder();
  const set = Object.entries(process.env).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return {
    cwd: process.cwd(),
    env: Object.freeze(Object.fromEntries(set)),
    ...(home === undefined ? {} : { homeFolder: home }),
    systemFolder: '/etc/ai-agent',
  };
}

/** HOME may be empty, or no place of its own: what is kept there must not lie where the command was started. */
export function homeFolder(): string | undefined {
  const folder = homedir();
  return isAbsolute(folder) ? folder : undefined;
}

/** Why there is none. */
export function whyNoHome(): string {
  const { HOME = '' } = process.env;
  return HOME === '' ? 'HOME names no folder' : `HOME is "${HOME}", which is no absolute path`;
}

function hostFacts(folder: string): HostFacts {
  return {
    os: platform(),
    arch: process.arch,
    kernel: release(),
    folder,
    hostname: hostname(),
    user: userName(),
  };
}

/** A process may run under a number that has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}

function toProviders(ollama: string, models: Pick<Models, 'open'>): Providers {
  return {
    wellKnownNames: [...wellKnown.keys()],
    wellKnown(name) {
      const known = wellKnown.get(name);
      if (!known) return undefined;
      const { type, baseUrl, keyVariables } = known;
      return { config: { type, baseUrl: name === 'ollama' ? ollama : baseUrl }, keyVariables };
    },
    check: describeProvider,
    checkPrices: describePricing,
    toPrices(pricing) {
      const listed = priceBook(pricing as Pricing);
      return async (provider, model) => (await listed(provider, model)) ?? ownPrices(provider, model);
    },
    filesTakenBy: ({ provider, config }) => filesTakenBy(provider, config),
    priceOf: ({ provider, model, config }, { env }) =>
      knownPrice({ provider, model, config: config as unknown as ProviderConfig, env, now: systemClock.now }),
    open: ({ provider, model, config }, options) =>
      models.open(provider, model, config as unknown as ProviderConfig, options),
  };
}

/** Whether these can be reached: one answer for each, in their order. Each provider is asked once, for what is free. */
export function reachModels(named: readonly NamedModel[]): Promise<readonly ProbedModel[]> {
  const questions = named.map(({ provider, model, config, env }) => ({
    provider,
    model,
    config: config as unknown as ProviderConfig,
    env,
  }));
  return probeModels(questions, { now: systemClock.now });
}

/** What a file without `models` runs on: a key that is set, a server on this machine, or the model that needs nothing. */
async function chooseModel(
  lookUp: (variable: string) => string | undefined,
  findLocal: () => Promise<string | undefined>,
): Promise<Choice> {
  for (const [name, { keyVariables, defaultModel }] of wellKnown) {
    const variable = keyVariables.find((one) => lookUp(one) !== undefined);
    if (variable !== undefined && defaultModel !== undefined)
      return { model: `${name}/${defaultModel}`, why: `${variable} is set` };
  }
  const local = await findLocal();
  if (local !== undefined) return { model: `ollama/${local}`, why: 'an Ollama answers on this machine' };
  return { model: 'offline/demo', why: 'no key is set and no Ollama answers; it is no language model' };
}

/** As Ollama itself takes it: a host, with or without a port or a scheme; 0.0.0.0 is where it listens, not where it is. */
function toAddress(host = 'localhost'): string {
  const url = URL.parse(/^https?:\/\//.test(host) ? host : `http://${host.includes(':') ? host : `${host}:11434`}`);
  if (!url) return 'http://localhost:11434';
  if (url.hostname === '0.0.0.0') url.hostname = 'localhost';
  return url.href;
}
