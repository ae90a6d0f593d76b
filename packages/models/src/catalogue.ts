// The models of one process: `provider/model` to a model, with the connections they share.

import { AgentError, type EnvOverlay, type Model, type ModelResolver } from '@ai-agent/core';
import { createTransport } from './http-transport.ts';
import { offlineDemo } from './offline/offline-demo.ts';
import { openaiCompatible } from './openai-compatible.ts';
import { checkProvider, type FilledIn, fillIn, type ProviderConfig, unknownKeyIn } from './provider-config.ts';
import type { Transport } from './transport.ts';

export interface ModelsOptions {
  /** By the name that stands before the slash. @default none: only offline/demo */
  readonly providers?: Readonly<Record<string, ProviderConfig>>;
  /** Shared connections; whoever hands one in closes it. @default an own one */
  readonly transport?: Transport;
  /** Milliseconds since 1970. Without it, a Retry-After that names a date is not understood. */
  readonly now?: () => number;
}

export interface Models {
  /** For the `models` port. Sessions share connections, never a key or a variable. */
  readonly resolve: ModelResolver;
  close(): Promise<void>;
}

/** Throws when a provider is set up wrongly, before anybody asks for it. */
export function createModels(options: ModelsOptions = {}): Models {
  const { providers = {}, transport, now } = options;
  const problem = unknownKeyIn(options, ['providers', 'transport', 'now']);
  if (problem)
    throw new AgentError('model-unknown', `createModels: ${problem}.`, {
      remedy: 'Correct the options of createModels.',
    });
  for (const [name, config] of Object.entries(providers)) checkProvider(name, config);
  const connections = transport ?? createTransport();
  const opened = new Map<string, Model>();

  async function resolve(ref: string, { env }: { readonly env: EnvOverlay }): Promise<Model> {
    if (ref === 'offline/demo') return offlineDemo();
    const slash = ref.indexOf('/');
    const [name, modelId] = [ref.slice(0, slash), ref.slice(slash + 1)];
    if (slash < 1 || modelId === '') throw unknown(`Model ${ref} is not written as provider/model`);
    const config = Object.hasOwn(providers, name) ? providers[name] : undefined;
    if (config) return open(name, modelId, fillIn(config, env));
    throw unknown(
      `Model ${ref}: ${name === 'offline' ? 'provider offline has only the model demo' : `there is no provider ${name}`}`,
    );
  }

  /** Models keep nothing between calls, and are dear to make: sessions with the very same settings may share one. */
  async function open(name: string, modelId: string, { settings, secrets }: FilledIn): Promise<Model> {
    const key = JSON.stringify([name, modelId, settings]);
    const made = opened.get(key);
    if (made) return made;
    const own = { ...settings, name, secrets, transport: connections, ...(now ? { now } : {}) };
    const model = await openaiCompatible(own)(modelId);
    if (opened.size >= 1000) opened.clear();
    opened.set(key, model);
    return model;
  }

  function unknown(problem: string): AgentError {
    const known = [...Object.keys(providers).map((name) => `${name}/…`), 'offline/demo'];
    return new AgentError('model-unknown', `${problem}. Known: ${known.join(', ')}.`);
  }

  async function close(): Promise<void> {
    if (!transport) connections.close();
  }

  return { resolve, close };
}
