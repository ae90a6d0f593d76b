// The models of one process: `provider/model` to a model, with the connections they share.

import {
  AgentError,
  type Clock,
  type EnvOverlay,
  type Model,
  type ModelResolver,
  type ModelResolverOptions,
  nearest,
} from '@ai-agent/core';
import { describeProvider } from './config/describe-provider.ts';
import { fillIn, type ProviderConfig, wrongProvider } from './config/provider-config.ts';
import { wellKnown } from './config/well-known.ts';
import { createTransport } from './http/http-transport.ts';
import type { Transport } from './http/transport.ts';
import { Lanes, limitsOf } from './lanes/lanes.ts';
import { offlineDemo } from './offline/offline-demo.ts';
import { OpenedModels, type Ready } from './opened-models.ts';
import { openModel } from './providers/open-model.ts';
import { traitsOf } from './traits.ts';

export interface ModelsOptions {
  /** By the name that stands before the slash. @default none: only offline/demo */
  readonly providers?: Readonly<Record<string, ProviderConfig>>;
  /** Shared connections; whoever hands one in closes it. @default an own one */
  readonly transport?: Transport;
  /** Milliseconds since 1970. Without it, a Retry-After that names a date is not understood. */
  readonly now?: () => number;
  /** For waiting on the way to a provider; need not know what day it is. @default the machine's own */
  readonly clock?: Clock;
}

export interface Models {
  /** For the `models` port. Sessions share connections, never a key or a variable. */
  readonly resolve: ModelResolver;
  /**
   * A model of a provider that is not among `providers`: of an agent file with a configuration of its own. Keys that
   * nobody knows are no error here; `describeProvider` names them.
   */
  open(provider: string, model: string, config: ProviderConfig, options: ModelResolverOptions): Promise<Model>;
  close(): Promise<void>;
}

/** Throws when a provider is set up wrongly, before anybody asks for it. */
export function createModels(options: ModelsOptions = {}): Models {
  const { providers = {}, transport, clock, now } = options;
  checkOptions(options);
  for (const [name, config] of Object.entries(providers)) checkProvider(name, config, true);
  const connections = transport ?? createTransport();
  const lanes = new Lanes({ clock, now });
  const opened = new OpenedModels();
  const checked = new WeakSet<ProviderConfig>();

  async function resolve(ref: string, asked: ModelResolverOptions): Promise<Model> {
    if (ref === 'offline/demo') return offlineDemo();
    const slash = ref.indexOf('/');
    const [name, modelId] = [ref.slice(0, slash), ref.slice(slash + 1)];
    if (slash < 1 || modelId === '') throw unknown(`Model ${ref} is not written as provider/model`);
    const config = Object.hasOwn(providers, name) ? providers[name] : undefined;
    if (config) return openChecked(name, modelId, config, asked);
    if (name === 'offline') throw unknown(`Model ${ref}: provider offline has only the model demo`);
    throw unknown(`Model ${ref}: there is no provider ${name}; set it up with createModels`, remedyFor(name));
  }

  const open: Models['open'] = async (name, modelId, config, asked) => {
    if (!checked.has(config)) checkProvider(name, config, false);
    checked.add(config);
    return openChecked(name, modelId, config, asked);
  };

  /** Models keep nothing between calls, and are dear to make: sessions with the very same settings may share one. */
  function openChecked(
    name: string,
    modelId: string,
    config: ProviderConfig,
    { env, hide }: ModelResolverOptions,
  ): Model | Promise<Model> {
    const made = opened.of(config);
    const key = made.keyOf(name, modelId, env);
    const known = made.ready.get(key) ?? make(name, modelId, { config, env });
    made.keep(key, known);
    if (hide) for (const value of known.hidden) hide(value);
    return known.model;
  }

  function make(name: string, modelId: string, { config, env }: SetUp): Ready {
    const { settings, custom, hidden } = fillIn(name, config, env);
    const traits = traitsOf(modelId, custom ? { ...config, custom } : config);
    const model = openModel(modelId, {
      name,
      settings,
      traits,
      secrets: hidden,
      transport: connections,
      lanes,
      limits: limitsOf(config),
      now,
    });
    return { model, hidden };
  }

  function unknown(problem: string, remedy?: string): AgentError {
    const known = [...Object.keys(providers).map((name) => `${name}/…`), 'offline/demo'];
    return new AgentError('model-unknown', `${problem}. Known: ${known.join(', ')}.`, remedy ? { remedy } : {});
  }

  async function close(): Promise<void> {
    if (!transport) connections.close();
  }

  return { resolve, open, close };
}

/** Tells what to import and what to pass so that a provider of this name is there. */
function remedyFor(name: string): string {
  const { type, keyVariables } = wellKnown.get(name) ?? { type: 'openai-compatible', keyVariables: [] };
  const [variable] = keyVariables;
  const address = wellKnown.has(name) ? '' : ", baseUrl: 'https://…'";
  const key = variable === undefined ? '' : `, apiKey: '$\{${variable}}'`;
  const provider = `${/^\w+$/.test(name) ? name : `'${name}'`}: { type: '${type}'${address}${key} }`;
  const overlay = variable === undefined ? '' : ` and envOverlay: { ${variable}: '…' }`;
  return `Import createModels from ai-agent and pass ports: { models: createModels({ providers: { ${provider} } }).resolve }${overlay}.`;
}

interface SetUp {
  readonly config: ProviderConfig;
  readonly env: EnvOverlay;
}

const optionKeys = ['providers', 'transport', 'now', 'clock'];

function checkOptions(options: ModelsOptions): void {
  const remedy = 'Correct the options of createModels.';
  if (options.clock && typeof options.clock.monotonicMs !== 'function')
    throw new AgentError('model-unknown', 'createModels: clock.monotonicMs must be a function.', { remedy });
  const key = Object.keys(options).find((name) => !optionKeys.includes(name));
  if (key === undefined) return;
  const meant = nearest(key, optionKeys);
  const hint = meant === undefined ? `there are ${optionKeys.join(', ')}` : `the nearest is ${meant}`;
  throw new AgentError('model-unknown', `createModels: there is no option ${key}; ${hint}.`, { remedy });
}

/** In code nobody reads warnings: there a key that nobody knows is an error. One that nothing comes of never is. */
function checkProvider(name: string, config: unknown, isCode: boolean): void {
  const isWrong = isCode ? ['key-invalid', 'key-unknown'] : ['key-invalid'];
  const problem = describeProvider(name, config).find(({ code }) => isWrong.includes(code));
  if (problem) throw wrongProvider(problem.message);
}
