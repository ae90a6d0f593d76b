// The operations of an OpenAPI document, as a source of tools.

import { resolve } from 'node:path';
import {
  AgentError,
  type JsonObject,
  type SourceContext,
  type ToolDefinition,
  type ToolQueue,
  type ToolSourceFactory,
  toMatcher,
  toSafeName,
} from '@ai-agent/core';
import { fill } from '../fill.ts';
import { Outbound } from '../outbound/outbound.ts';
import { type ExchangeSetting, exchange } from '../rest/http-exchange.ts';
import { type HttpSourceOptions, readOnlyMethods, repeatable } from '../rest/rest-source.ts';
import { secretsOf } from '../rest/secrets.ts';
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

/** `openapiSpecs.pets` are the tools `rest__pets_<operation>`. Throws `config-invalid`, `file-missing` and `secret-missing` when listed. */
export function openapiSource(setUp: ToolSetUp, options: HttpSourceOptions): ToolSourceFactory {
  const documents = documentsOf(options.surroundings);
  return () => {
    let outbound: Outbound | undefined;
    return {
      async list(context) {
        const owner = `openapiSpecs.${setUp.name}`;
        const config = openConfig(setUp, context);
        const api = await documents.open(resolve(setUp.folder, config.spec), `${owner}: ${config.spec}`);
        checkAuth(config.auth, api.schemes, owner);
        // Servers are the document's words, not those of the configuration.
        outbound = new Outbound({
          named: [...(config.baseUrl === undefined ? [] : [config.baseUrl]), ...config.allowedHosts],
        });
        const secrets = secretsOf(setUp.config, fill(setUp.config, context.env), context.env);
        for (const secret of secrets) context.hide(secret);
        const setting = { owner, secrets, outbound, userAgent: `ai-agent/${options.surroundings.version}` };
        const queue = options.queues.queue(config.queue, setUp.queues);
        return wantedOf(setUp, config, api).map((one) => toTool(one, { setUp, config, api, queue, setting }));
      },
      close: async () => outbound?.close(),
    };
  };
}

/** Checked again with its variables in it. */
function openConfig(setUp: ToolSetUp, context: SourceContext): OpenapiConfig {
  const filled = fill(setUp.config, context.env);
  const [problem] = checkOpenapiConfig({ name: setUp.name, config: filled });
  if (problem) throw new AgentError('config-invalid', `openapiSpecs.${setUp.name}: ${problem.message}`);
  return readOpenapiConfig(filled);
}

interface Named {
  readonly name: string;
  readonly operation: Operation;
}

function wantedOf(setUp: ToolSetUp, { includeMethods, tagFilter }: OpenapiConfig, api: Api): readonly Named[] {
  const isTag = toMatcher(tagFilter);
  return [...api.namesFor(`rest__${setUp.name}_`)]
    .filter(([{ method }]) => includeMethods.length === 0 || includeMethods.includes(method))
    .filter(([{ tags }]) => tagFilter.length === 0 || tags.some(isTag))
    .filter(([, name]) => setUp.isWanted(toSafeName(name)))
    .map(([operation, name]) => ({ operation, name }));
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
  const isReadOnly = readOnlyMethods.includes(method);
  const isRepeatable = repeatable.includes(method);
  // What an operation changes, it has to change each time.
  const caching = isReadOnly ? toCaching(config.cache, ['openapiSpecs', setUp.name, config, address.href]) : undefined;
  return {
    name,
    identity: { namespace: 'rest', tool: name.slice('rest__'.length) },
    description: operation.description || `${method} ${operation.path}`,
    inputSchema: shape.inputSchema,
    readOnly: isReadOnly,
    idempotent: isRepeatable,
    queue,
    ...(caching === undefined ? {} : { cache: caching }),
    execute: (args: JsonObject, context) =>
      exchange(() => toOpenapiRequest(target, args), { ...setting, isRepeatable }, context),
  };
}
