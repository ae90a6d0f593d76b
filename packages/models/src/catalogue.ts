// The models of one process: `provider/model` to a model, with the connections they share.

import { AgentError, type EnvOverlay, type Model, type ModelResolver } from '@ai-agent/core';
import { createTransport, type Transport } from './http-transport.ts';
import { offlineDemo } from './offline/offline-demo.ts';
import { openaiCompatible } from './openai-compatible.ts';

export interface ProviderConfig {
  readonly type: 'openai-compatible';
  /** Where the API is, version included: `https://host/v1`. */
  readonly baseUrl: string;
  /** The key itself, or `${VARIABLE}` of the session's own variables. @default no authorization */
  readonly apiKey?: string;
  /** Sent with every request; values may name variables too. @default none */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it can be held to a JSON Schema. @default false */
  readonly supportsStructuredOutputs?: boolean;
}

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

export function createModels({ providers = {}, transport, now }: ModelsOptions = {}): Models {
  const connections = transport ?? createTransport();
  const opened = new Map<string, Promise<Model>>();

  async function resolve(ref: string, { env }: { readonly env: EnvOverlay }): Promise<Model> {
    const slash = ref.indexOf('/');
    const [name, modelId] = [ref.slice(0, slash), ref.slice(slash + 1)];
    if (slash < 1 || modelId === '') throw unknown(`Model ${ref} is not written as provider/model`);
    if (ref === 'offline/demo') return offlineDemo();
    const config = Object.hasOwn(providers, name) ? providers[name] : undefined;
    if (!config) throw unknown(`Model ${ref}: there is no provider ${name}`);
    const settings = filledIn(config, env);
    // Models keep nothing between calls, and are dear to make: sessions with the very same settings may share one.
    const key = JSON.stringify([name, modelId, settings]);
    const made = opened.get(key);
    if (made) return made;
    if (opened.size >= 1000) opened.clear();
    const model = openaiCompatible({ ...settings, name, transport: connections, ...(now ? { now } : {}) })(modelId);
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

/** The configuration with the session's own values in it. */
function filledIn({ baseUrl, apiKey, headers, supportsStructuredOutputs = false }: ProviderConfig, env: EnvOverlay) {
  return {
    baseUrl: fillIn(baseUrl, env),
    supportsStructuredOutputs,
    ...(apiKey === undefined ? {} : { apiKey: fillIn(apiKey, env) }),
    ...(headers ? { headers: mapValues(headers, (value) => fillIn(value, env)) } : {}),
  };
}

function fillIn(text: string, env: EnvOverlay): string {
  return text.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => {
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value !== undefined && value !== '') return value;
    throw new AgentError('agent-invalid', `Missing: ${name}; define in shell or .ai-agent.env`, {
      remedy: `Define ${name}, and let the agent's own variables hold it.`,
    });
  });
}

function mapValues(record: Readonly<Record<string, string>>, map: (value: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}
