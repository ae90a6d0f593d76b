// A REST tool of a configuration, as a source of one tool.

import type { JsonObject, ToolDefinition, ToolSourceFactory } from '@ai-agent/core';
import { mayBeOurselves } from '../calling.ts';
import { chooseTools } from '../choose-tools.ts';
import { Outbound } from '../outbound/outbound.ts';
import type { ToolSetUp } from '../set-up.ts';
import { type ExchangeSetting, exchange } from './http-exchange.ts';
import { fillSetUp, type HttpSourceOptions, manners, promisesOf } from './http-source.ts';
import { readJsonStream } from './json-stream.ts';
import { type RestConfig, readRestConfig } from './read-rest-config.ts';
import { checkRestConfig } from './rest-config.ts';
import { toRestRequest } from './rest-request.ts';
import { namedHost } from './rest-url.ts';
import { toCaching } from './settings.ts';

/** `restTools.weather` is the tool `rest__weather`. Throws `config-invalid` and `secret-missing` when it is listed. */
export function restSource(setUp: ToolSetUp, options: HttpSourceOptions): ToolSourceFactory {
  return () => {
    let outbound: Outbound | undefined;
    return {
      list(context) {
        if (chooseTools(setUp, [setUp], toolName).length === 0) return [];
        const { owner, secrets, config: filled } = fillSetUp(setUp, context, checkRestConfig);
        const config = readRestConfig(filled);
        const host = namedHost(config.url);
        outbound = new Outbound({ named: [...(host === undefined ? [] : [host]), ...config.allowedHosts] });
        const isRepeatable = promisesOf(config.method).idempotent;
        const setting = { owner, secrets, isRepeatable, outbound, ...manners(options.surroundings) };
        return [toTool(setUp, { config, setting: withStream(setting, config, options), options })];
      },
      close: async () => outbound?.close(),
    };
  };
}

function toolName({ name }: ToolSetUp): string {
  return `rest__${name}`;
}

function withStream(setting: ExchangeSetting, { streaming }: RestConfig, options: HttpSourceOptions): ExchangeSetting {
  if (!streaming) return setting;
  const stream = { streaming, clock: options.surroundings.clock, failure: setting };
  return { ...setting, read: (response, context) => readJsonStream(response, stream, context) };
}

interface Opened {
  readonly config: RestConfig;
  readonly setting: ExchangeSetting;
  readonly options: HttpSourceOptions;
}

function toTool(setUp: ToolSetUp, { config, setting, options }: Opened): ToolDefinition {
  const caching = toCaching(config.cache, ['restTools', setUp.name, config]);
  return {
    name: toolName(setUp),
    identity: { namespace: 'rest', tool: setUp.name },
    description: config.description,
    inputSchema: { type: 'object', ...config.parametersSchema },
    ...promisesOf(config.method),
    ...(mayBeOurselves({ queue: config.queue, url: namedHost(config.url) ?? '' })
      ? {}
      : { queue: options.queues.queue(config.queue, setUp.queues) }),
    ...(caching === undefined ? {} : { cache: caching }),
    execute: (args: JsonObject, context) => exchange(() => toRestRequest(config, args), setting, context),
  };
}
