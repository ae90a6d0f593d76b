// The operations of an OpenAPI document, as a source of tools.

import { resolve } from 'node:path';
import {
  type AgentError,
  type JsonObject,
  oneLine,
  type ToolDefinition,
  type ToolQueue,
  type ToolSourceFactory,
  toMatcher,
} from '@ai-agent/core';
import { mayBeOurselves } from '../calling.ts';
import { chooseTools } from '../choose-tools.ts';
import { Outbound } from '../outbound/outbound.ts';
import { type ExchangeSetting, exchange } from '../rest/http-exchange.ts';
import { fillSetUp, type HttpSourceOptions, manners, promisesOf } from '../rest/http-source.ts';
import { toCaching } from '../rest/settings.ts';
import type { ToolSetUp } from '../set-up.ts';
import type { Api } from './api.ts';
import { wrong } from './document.ts';
import { documentsOf } from './documents.ts';
import { keyring } from './keys.ts';
import { checkOpenapiConfig } from './openapi-config.ts';
import { toOpenapiRequest } from './openapi-request.ts';
import type { Operation } from './operations.ts';
import { type OpenapiConfig, readOpenapiConfig } from './read-openapi-config.ts';
import { checkAuth } from './security.ts';
import { addressOf } from './servers.ts';

/**
 * `openapiSpecs.pets` are the tools `rest__pets_<operation>`. Throws `config-invalid`, `file-missing` and `secret-missing` when they
 * are listed.
 */
export function openapiSource(setUp: ToolSetUp, options: HttpSourceOptions): ToolSourceFactory {
  const documents = documentsOf(options.surroundings);
  return () => {
    let outbound: Outbound | undefined;
    return {
      async list(context) {
        const { owner, secrets, config: filled } = fillSetUp(setUp, context, checkOpenapiConfig);
        const config = readOpenapiConfig(filled);
        const file = `${owner}: ${config.spec}`;
        const api = await documents.open(resolve(setUp.folder, config.spec), file);
        checkAuth(config.auth, api.schemes, owner);
        // Servers are the document's words, not those of the configuration.
        const named = config.baseUrl === undefined ? config.allowedHosts : [config.baseUrl, ...config.allowedHosts];
        outbound = new Outbound({ named });
        const setting = { owner, secrets, outbound, ...manners(options.surroundings) };
        const queue = options.queues.queue(config.queue, setUp.queues);
        const offered = offeredOf(`rest__${setUp.name}_`, config, api);
        if (offered.length === 0) throw nothingOffered(file, config, api);
        const opened = { setUp, config, api, queue, setting, keysFor: keyring(config, api) };
        return chooseTools(setUp, offered, ({ name }) => name).map((one) => toTool(one, opened));
      },
      close: async () => outbound?.close(),
    };
  };
}

interface Named {
  readonly name: string;
  readonly operation: Operation;
}

function offeredOf(prefix: string, { includeMethods, tagFilter }: OpenapiConfig, api: Api): readonly Named[] {
  const isTag = toMatcher(tagFilter);
  return [...api.namesFor(prefix)]
    .filter(([{ method }]) => includeMethods.length === 0 || includeMethods.includes(method))
    .filter(([{ tags }]) => tagFilter.length === 0 || tags.some(isTag))
    .map(([operation, name]) => ({ operation, name }));
}

const maxListed = 30;

function nothingOffered(file: string, { includeMethods, tagFilter }: OpenapiConfig, { operations }: Api): AgentError {
  if (operations.length === 0) return wrong(file, 'has no operations');
  const filters = [
    ...(tagFilter.length > 0 ? [`tagFilter (${tagFilter.join(', ')})`] : []),
    ...(includeMethods.length > 0 ? [`includeMethods (${includeMethods.join(', ')})`] : []),
  ];
  const methods = [...new Set(operations.map(({ method }) => method))].join(', ');
  const tags = [...new Set(operations.flatMap((operation) => operation.tags))].slice(0, maxListed).join(', ');
  const there = `the methods ${methods} and ${tags === '' ? 'no tags' : `the tags ${oneLine(tags).slice(0, 1000)}`}`;
  return wrong(file, `has no operation that is left by ${filters.join(' and ')}; it has ${there}`, {
    remedy: 'Correct tagFilter and includeMethods in openapiSpecs of .ai-agent.json, or take them out.',
  });
}

interface Opened {
  readonly setUp: ToolSetUp;
  readonly config: OpenapiConfig;
  readonly api: Api;
  readonly queue: ToolQueue;
  readonly keysFor: ReturnType<typeof keyring>;
  readonly setting: Omit<ExchangeSetting, 'isRepeatable'>;
}

function toTool({ name, operation }: Named, { setUp, config, api, queue, setting, keysFor }: Opened): ToolDefinition {
  const { method } = operation;
  const address = config.baseUrl === undefined ? addressOf(operation.servers, setting.owner) : new URL(config.baseUrl);
  const keys = keysFor(operation, address);
  const shape = api.shapeOf(operation, keys.fills);
  const target = { operation, shape, address, keys };
  const promises = promisesOf(method);
  // What an operation changes, it has to change each time.
  const cache = promises.readOnly ? config.cache : undefined;
  const caching = toCaching(cache, ['openapiSpecs', setUp.name, config, address.href]);
  const exchanging = { ...setting, isRepeatable: promises.idempotent };
  return {
    name,
    identity: { namespace: 'rest', tool: name.slice('rest__'.length) },
    description: operation.description,
    inputSchema: shape.inputSchema,
    ...promises,
    ...(mayBeOurselves({ queue: config.queue, url: address.href }) ? {} : { queue }),
    ...(caching === undefined ? {} : { cache: caching }),
    execute: (args: JsonObject, context) => exchange(() => toOpenapiRequest(target, args), exchanging, context),
  };
}
