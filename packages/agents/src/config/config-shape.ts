// Every key of `.ai-agent.json` and what it takes. Providers and defaults are objects here; who owns them checks their parts.

import { toolOutputValues } from '../options/agent-kinds.ts';
import { choice, decimal, duration, isTrue, names, text, whole } from '../options/kinds.ts';
import { anything } from '../options/shape.ts';
import {
  anObject,
  choices,
  keptFor,
  listOf,
  namedTable,
  orFalse,
  settings,
  table,
  textOrTexts,
} from './config-kinds.ts';
import { api, embed } from './headend-shape.ts';
import { slack } from './slack-shape.ts';
import { store } from './store-shape.ts';

const headers = table(text);

export const mcpServer = settings({
  type: choice('stdio', 'http', 'sse', 'websocket', 'local', 'remote'),
  command: textOrTexts,
  args: listOf(text),
  env: table(text),
  environment: table(text),
  cwd: text,
  url: text,
  headers,
  oauth: orFalse(anObject),
  enabled: isTrue,
  toolsAllowed: names,
  toolsDenied: names,
  queue: text,
  cache: keptFor,
  toolsCache: table(keptFor),
  shared: isTrue,
  healthProbe: choice('ping', 'listTools'),
  startTimeoutMs: duration,
  requestTimeoutMs: duration,
  sampling: isTrue,
  elicitation: isTrue,
  roots: listOf(text),
  toolSchemas: anObject,
});

export const restTool = settings({
  description: text,
  method: choice('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'),
  url: text,
  headers,
  parametersSchema: anObject,
  bodyTemplate: anything,
  allowedHosts: names,
  queue: text,
  cache: keptFor,
  streaming: settings({
    mode: choice('json-stream'),
    linePrefix: text,
    discriminatorField: text,
    doneValue: text,
    answerField: text,
    tokenValue: text,
    tokenField: text,
    timeoutMs: duration,
    maxBytes: whole(1),
  }),
});

export const openapiSpec = settings({
  spec: text,
  baseUrl: text,
  headers,
  auth: anObject,
  allowedHosts: names,
  queue: text,
  cache: keptFor,
  includeMethods: names,
  tagFilter: names,
});

const pricesOfModel = settings({
  unit: choice('per_1k', 'per_1m'),
  currency: text,
  prompt: decimal(0),
  completion: decimal(0),
  cacheRead: decimal(0),
  cacheWrite: decimal(0),
});

const otlp = settings({ endpoint: text, timeoutMs: duration });

const telemetry = settings({
  enabled: isTrue,
  otlp,
  prometheus: settings({ enabled: isTrue, host: text, port: whole(0, 65_535) }),
  labels: table(text),
  traces: settings({
    enabled: isTrue,
    sampler: choice('always_on', 'always_off', 'parent', 'ratio'),
    ratio: decimal(0, 1),
  }),
  logging: settings({ formats: choices('journald', 'logfmt', 'json', 'none'), extra: choices('otlp'), otlp }),
});

const cache = settings({
  backend: choice('sqlite', 'redis'),
  maxEntries: whole(1),
  path: text,
  sqlite: settings({ path: text }),
  redis: settings({ url: text, username: text, password: text, database: whole(0), keyPrefix: text }),
});

const toolOutput = settings({ ...toolOutputValues, models: names, storeDir: text });

export const configShape = settings({
  /** For editors. */
  $schema: text,
  providers: table(anObject),
  mcpServers: namedTable(/^[A-Za-z0-9_-]+$/, 'letters, digits, _ and - alone', mcpServer),
  restTools: table(restTool),
  openapiSpecs: table(openapiSpec),
  queues: table(settings({ concurrent: whole(1), callsPerMinute: whole(1) })),
  defaults: anObject,
  accounting: settings({ file: text }),
  pricing: table(table(pricesOfModel)),
  telemetry,
  cache,
  toolOutput,
  slack,
  api,
  embed,
  persistence: anObject,
  store,
  agents: names,
  includeRoots: listOf(text),
});
