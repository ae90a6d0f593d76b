// A REST tool of a configuration, as a source of one tool.

import {
  AgentError,
  type JsonObject,
  type SourceContext,
  type ToolDefinition,
  type ToolSourceFactory,
  toSafeName,
} from '@ai-agent/core';
import { fill } from '../fill.ts';
import { Outbound } from '../outbound/outbound.ts';
import type { Queues } from '../queues.ts';
import type { ToolSetUp } from '../set-up.ts';
import type { Surroundings } from '../surroundings.ts';
import { type ExchangeSetting, exchange } from './http-exchange.ts';
import { readJsonStream } from './json-stream.ts';
import { type RestConfig, readRestConfig } from './read-rest-config.ts';
import { checkRestConfig } from './rest-config.ts';
import { toRestRequest } from './rest-request.ts';
import { namedHost } from './rest-url.ts';
import { secretsOf } from './secrets.ts';
import { toCaching } from './settings.ts';

export interface HttpSourceOptions {
  readonly surroundings: Surroundings;
  readonly queues: Queues;
}

/** `restTools.weather` is the tool `rest__weather`. Throws `config-invalid` and `secret-missing` when it is listed. */
export function restSource(setUp: ToolSetUp, options: HttpSourceOptions): ToolSourceFactory {
  return () => {
    let outbound: Outbound | undefined;
    return {
      list(context) {
        if (!setUp.isWanted(toSafeName(toolName(setUp)))) return [];
        const config = openConfig(setUp, context);
        const host = namedHost(config.url);
        outbound = new Outbound({ named: [...(host === undefined ? [] : [host]), ...config.allowedHosts] });
        const secrets = secretsOf(setUp.config, fill(setUp.config, context.env), context.env);
        for (const secret of secrets) context.hide(secret);
        return [toTool(setUp, config, toSetting(setUp, config, { outbound, secrets, options }))];
      },
      close: async () => outbound?.close(),
    };
  };
}

function toolName({ name }: ToolSetUp): string {
  return `rest__${name}`;
}

/** Checked again with its variables in it. */
function openConfig(setUp: ToolSetUp, context: SourceContext): RestConfig {
  const filled = fill(setUp.config, context.env);
  const wrong = checkRestConfig({ name: setUp.name, config: filled }).find(({ severity }) => severity === 'error');
  if (wrong) throw new AgentError('config-invalid', `restTools.${setUp.name}: ${wrong.message}`);
  return readRestConfig(filled);
}

interface Opened {
  readonly outbound: Outbound;
  readonly secrets: readonly string[];
  readonly options: HttpSourceOptions;
}

function toSetting({ name }: ToolSetUp, config: RestConfig, { outbound, secrets, options }: Opened): ToolSetting {
  const { surroundings, queues } = options;
  const failure = { owner: `restTools.${name}`, secrets, isRepeatable: repeatable.includes(config.method) };
  const { streaming } = config;
  return {
    queues,
    exchange: {
      ...failure,
      outbound,
      userAgent: `ai-agent/${surroundings.version}`,
      ...(streaming === undefined
        ? {}
        : {
            read: (response, context) =>
              readJsonStream(response, { streaming, clock: surroundings.clock, failure }, context),
          }),
    },
  };
}

interface ToolSetting {
  readonly queues: Queues;
  readonly exchange: ExchangeSetting;
}

export const readOnlyMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];
export const repeatable: readonly string[] = [...readOnlyMethods, 'PUT', 'DELETE'];

function toTool(setUp: ToolSetUp, config: RestConfig, { queues, exchange: setting }: ToolSetting): ToolDefinition {
  const caching = toCaching(config.cache, ['restTools', setUp.name, config]);
  return {
    name: toolName(setUp),
    identity: { namespace: 'rest', tool: setUp.name },
    description: config.description,
    inputSchema: { type: 'object', ...config.parametersSchema },
    readOnly: readOnlyMethods.includes(config.method),
    idempotent: repeatable.includes(config.method),
    queue: queues.queue(config.queue, setUp.queues),
    ...(caching === undefined ? {} : { cache: caching }),
    execute: (args: JsonObject, context) => exchange(() => toRestRequest(config, args), setting, context),
  };
}
