// The operations of an OpenAPI document, as a source of tools.

import { resolve } from 'node:path';
import {
  type JsonObject,
  type ToolDefinition,
  type ToolQueue,
  type ToolSourceFactory,
  toMatcher,
} from '@ai-agent/core';
import { chooseTools } from '../choose-tools.ts';
import { Outbound } from '../outbound/outbound.ts';
import { type ExchangeSetting, exchange } from '../rest/http-exchange.ts';
import { fillSetUp, type HttpSourceOptions, manners, promisesOf } from '../rest/http-source.ts';
import { toCaching } from '../rest/settings.ts';
import type { ToolSetUp } from '../set-up.ts';
import type { Api } from './api.ts';
import { documentsOf } from './documents.ts';
import { checkOpenapiConfig } from './openapi-config.ts';
import { toOpenapiRequest } from './openapi-request.ts';
import type { Operation } from './operations.ts';
import { type OpenapiConfig, readOpenapiConfig } from './read-openapi-config.ts';
import { checkAuth, credentialsFor } from './security.ts';
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
        const api = await documents.open(resolve(setUp.folder, config.spec), `${owner}: ${config.spec}`);
        checkAuth(config.auth, api.schemes, owner);
        // Servers are the document's words, not those of the configuration.
        const named = config.baseUrl === undefined ? config.allowedHosts : [config.baseUrl, ...config.allowedHosts];
        outbound = new Outbound({ named });
        const setting = { owner, secrets, outbound, ...manners(options.surroundings) };
        const queue = options.queues.queue(config.queue, setUp.queues);
        return wantedOf(setUp, config, api).map((one) => toTool(one, { setUp, config, api, queue, setting }));
      },
      close: async () => outbound?.close(),
    };
  };
}

interface Named {
  readonly name: string;
  readonly operation: Operation;
}

function wantedOf(setUp: ToolSetUp, { includeMethods, tagFilter }: OpenapiConfig, api: Api): readonly Named[] {
  const isTag = toMatcher(tagFilter);
  const offered = [...api.namesFor(`rest__${setUp.name}_`)]
    .filter(([{ method }]) => includeMethods.length === 0 || includeMethods.includes(method))
    .filter(([{ tags }]) => tagFilter.length === 0 || tags.some(isTag))
    .map(([operation, name]) => ({ operation, name }));
  return chooseTools(setUp, offered, ({ name }) => name);
}

interface Opened {
  readonly setUp: ToolSetUp;
  readonly config: OpenapiConfig;
  readonly api: Api;
  readonly queue: ToolQueue;
  readonly setting: Omit<ExchangeSetting, 'isRepeatable'>;
}

function toTool({ name, operation }: Named, { setUp, config, api, queue, setting }: Opened): ToolDefinition {
  const { method } = operation;
  const shape = api.shapeOf(operation);
  const address = config.baseUrl === undefined ? addressOf(operation.servers, setting.owner) : new URL(config.baseUrl);
  const credentials = credentialsFor(operation.security, config.auth, api.schemes);
  const target = { operation, shape, address, headers: config.headers, credentials };
  const promises = promisesOf(method);
  // What an operation changes, it has to change each time.
  const cache = promises.readOnly ? config.cache : undefined;
  const caching = toCaching(cache, ['openapiSpecs', setUp.name, config, address.href]);
  const exchanging = { ...setting, isRepeatable: promises.idempotent };
  return {
    name,
    identity: { namespace: 'rest', tool: name.slice('rest__'.length) },
    description: operation.description || `${method} ${operation.path}`,
    inputSchema: shape.inputSchema,
    ...promises,
    queue,
    ...(caching === undefined ? {} : { cache: caching }),
    execute: (args: JsonObject, context) => exchange(() => toOpenapiRequest(target, args), exchanging, context),
  };
}
