// What an entry of a configuration may say, for who writes one in code. What each key means is in docs/tools.md.

import type { Json, JsonSchema } from '@ai-agent/core';
import type { OAuthConfig } from './oauth/oauth-config.ts';
import type { ToolSection } from './set-up.ts';

/** `90s`, `2m`, or milliseconds. */
type Time = number | string;
/** A text may be a variable: `${NAME}`. */
type Flag = boolean | string;
type Names = string | readonly string[];
type Texts = Readonly<Record<string, string>>;

export interface McpServerConfig {
  readonly type?: 'stdio' | 'http' | 'sse' | 'websocket' | 'local' | 'remote';
  readonly command?: string | readonly string[];
  readonly args?: readonly string[];
  readonly env?: Texts;
  /** The same under an older name. */
  readonly environment?: Texts;
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: Texts;
  readonly oauth?: OAuthConfig | false;
  readonly enabled?: Flag;
  readonly toolsAllowed?: Names;
  readonly toolsDenied?: Names;
  readonly queue?: string;
  readonly cache?: Time | false;
  readonly toolsCache?: Readonly<Record<string, Time | false>>;
  readonly shared?: Flag;
  readonly healthProbe?: 'ping' | 'listTools';
  readonly startTimeoutMs?: Time;
  readonly requestTimeoutMs?: Time;
  readonly sampling?: Flag;
  readonly elicitation?: Flag;
  readonly roots?: readonly string[];
  readonly toolSchemas?: Readonly<Record<string, JsonSchema>>;
}

export interface RestToolConfig {
  readonly description?: string;
  readonly method?: string;
  readonly url: string;
  readonly headers?: Texts;
  readonly parametersSchema?: JsonSchema;
  readonly bodyTemplate?: Json;
  readonly allowedHosts?: Names;
  readonly queue?: string;
  readonly cache?: Time | false;
  readonly streaming?: {
    readonly mode?: 'json-stream';
    readonly linePrefix?: string;
    readonly discriminatorField?: string;
    readonly doneValue?: string;
    readonly answerField?: string;
    readonly tokenValue?: string;
    readonly tokenField?: string;
    readonly timeoutMs?: Time;
    readonly maxBytes?: number;
  };
}

export interface OpenapiSpecConfig {
  readonly spec: string;
  readonly baseUrl?: string;
  readonly headers?: Texts;
  readonly auth?: Texts;
  readonly allowedHosts?: Names;
  readonly queue?: string;
  readonly cache?: Time | false;
  readonly includeMethods?: Names;
  readonly tagFilter?: Names;
}

type KeysOf<T> = Readonly<Record<keyof Required<T>, true>>;

const ofServer: KeysOf<McpServerConfig> = {
  ...{ type: true, command: true, args: true, env: true, environment: true, cwd: true, url: true, headers: true },
  ...{ oauth: true, enabled: true, toolsAllowed: true, toolsDenied: true, queue: true, cache: true, toolsCache: true },
  ...{ shared: true, healthProbe: true, startTimeoutMs: true, requestTimeoutMs: true, sampling: true },
  ...{ elicitation: true, roots: true, toolSchemas: true },
};

const ofRest: KeysOf<RestToolConfig> = {
  ...{ description: true, method: true, url: true, headers: true, parametersSchema: true, bodyTemplate: true },
  ...{ allowedHosts: true, queue: true, cache: true, streaming: true },
};

const ofSpec: KeysOf<OpenapiSpecConfig> = {
  ...{ spec: true, baseUrl: true, headers: true, auth: true, allowedHosts: true, queue: true, cache: true },
  ...{ includeMethods: true, tagFilter: true },
};

/** Every key of an entry; the compiler holds them to the types. */
export const entryKeys: Readonly<Record<ToolSection, readonly string[]>> = {
  mcpServers: Object.keys(ofServer),
  restTools: Object.keys(ofRest),
  openapiSpecs: Object.keys(ofSpec),
};
