// An entry of mcpServers, read: which server it is, how it is reached, and what of it is wanted.

import { isAbsolute, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Root } from './link.ts';
import {
  type SettingPlace,
  toKeptMs,
  toNames,
  toTable,
  toText,
  toTexts,
  toTextTable,
  toTimeoutMs,
  toTruth,
  unusable,
} from './setting.ts';

export type ServerType = 'stdio' | 'http' | 'sse' | 'websocket';

export interface ServerConfig {
  readonly name: string;
  readonly type: ServerType;
  /** Of a server that is started here: empty for others. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
  /** Of a server that is reached over a network: empty for others. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What its owner says of signing in; `false` is never. */
  readonly oauth: Readonly<Record<string, unknown>> | false | undefined;
  readonly isEnabled: boolean;
  /** Globs. Nothing is every tool. */
  readonly toolsAllowed: readonly string[] | undefined;
  readonly toolsDenied: readonly string[];
  readonly queue: string | undefined;
  readonly cacheMs: number | undefined;
  /** By tool; nothing there is never. */
  readonly toolsCacheMs: ReadonlyMap<string, number | undefined>;
  readonly isShared: boolean;
  readonly healthProbe: 'ping' | 'listTools';
  /** Time for the start and the handshake. @default 10 s, 60 s for commands that may download first */
  readonly startTimeoutMs: number;
  /** Time of one request, whatever the time of the call is. @default none */
  readonly requestTimeoutMs: number | undefined;
  readonly maySample: boolean;
  readonly mayElicit: boolean;
  readonly roots: readonly Root[];
}

/**
 * An entry whose variables are filled in. Paths in it begin in `folder`; without it they stay as they are. Throws
 * `config-invalid` with the key named.
 */
export function readServerConfig(
  name: string,
  config: Readonly<Record<string, unknown>>,
  folder?: string,
): ServerConfig {
  const at = (key: string): SettingPlace => ({ server: name, key });
  const [command = '', ...leading] = toTexts(config.command, at('command'));
  const url = toText(config.url, at('url')) ?? '';
  const type = toType(config.type, { name, command, url });
  const cwd = toText(config.cwd, at('cwd'));
  return {
    name,
    type,
    command: type === 'stdio' ? command : '',
    args: [...leading, ...toTexts(config.args, at('args'))],
    env: { ...toTextTable(config.environment, at('environment')), ...toTextTable(config.env, at('env')) },
    cwd: cwd === undefined || folder === undefined ? cwd : resolve(folder, cwd),
    url: type === 'stdio' ? '' : checkUrl(url, type, at('url')),
    headers: toTextTable(config.headers, at('headers')),
    oauth: config.oauth === false || config.oauth === 'false' ? false : toOptionalTable(config.oauth, at('oauth')),
    isEnabled: toTruth(config.enabled, at('enabled')) ?? true,
    toolsAllowed: toNames(config.toolsAllowed, at('toolsAllowed')),
    toolsDenied: toNames(config.toolsDenied, at('toolsDenied')) ?? [],
    queue: toText(config.queue, at('queue')),
    cacheMs: toKeptMs(config.cache, at('cache')),
    toolsCacheMs: new Map(
      Object.entries(toTable(config.toolsCache, at('toolsCache'))).map(([tool, ttl]) => [
        tool,
        toKeptMs(ttl, at(`toolsCache.${tool}`)),
      ]),
    ),
    isShared: toTruth(config.shared, at('shared')) ?? true,
    healthProbe: toProbe(config.healthProbe, at('healthProbe')),
    startTimeoutMs: toTimeoutMs(config.startTimeoutMs, at('startTimeoutMs')) ?? defaultStartMs(command, leading),
    requestTimeoutMs: toTimeoutMs(config.requestTimeoutMs, at('requestTimeoutMs')),
    maySample: toTruth(config.sampling, at('sampling')) ?? false,
    mayElicit: toTruth(config.elicitation, at('elicitation')) ?? true,
    roots: toTexts(config.roots, at('roots')).map((root) => toRoot(root, folder)),
  };
}

const types: Readonly<Record<string, ServerType>> = {
  stdio: 'stdio',
  local: 'stdio',
  http: 'http',
  remote: 'http',
  sse: 'sse',
  websocket: 'websocket',
};

interface Reached {
  readonly name: string;
  readonly command: string;
  readonly url: string;
}

function toType(value: unknown, { name, command, url }: Reached): ServerType {
  const place = { server: name, key: 'type' };
  const word = toText(value, place);
  const isSocket = /^wss?:/i.test(url);
  const inferred = command !== '' ? 'stdio' : isSocket ? 'websocket' : 'http';
  const type = word === undefined ? inferred : types[word.trim().toLowerCase()];
  if (type === undefined) throw unusable(place, 'one of stdio, http, sse, websocket');
  if (type === 'stdio' && command === '')
    throw unusable({ server: name, key: 'command' }, 'the command that starts it');
  if (type !== 'stdio' && url === '') throw unusable({ server: name, key: 'url' }, 'the address of the server');
  // `remote` says only that it is elsewhere.
  return type === 'http' && isSocket ? 'websocket' : type;
}

function checkUrl(url: string, type: ServerType, place: SettingPlace): string {
  const schemes = type === 'websocket' ? ['ws:', 'wss:', 'http:', 'https:'] : ['http:', 'https:'];
  const parsed = URL.parse(url);
  if (parsed && schemes.includes(parsed.protocol)) return parsed.href;
  throw unusable(place, type === 'websocket' ? 'an address with ws or wss' : 'an address with http or https');
}

function toOptionalTable(value: unknown, place: SettingPlace): Readonly<Record<string, unknown>> | undefined {
  return value === undefined || value === null ? undefined : toTable(value, place);
}

function toProbe(value: unknown, place: SettingPlace): 'ping' | 'listTools' {
  const word = (toText(value, place) ?? 'ping').toLowerCase();
  if (word === 'ping') return 'ping';
  if (word === 'listtools') return 'listTools';
  throw unusable(place, 'ping or listTools');
}

const downloaders = new Set([
  ...['npx', 'npm', 'pnpm', 'pnpx', 'yarn', 'bunx', 'bun', 'deno', 'corepack'],
  ...['uvx', 'uv', 'pipx', 'docker', 'podman', 'nerdctl', 'nix', 'dotnet', 'go', 'cargo', 'jbang'],
]);

/** A shell may run any of them. */
function defaultStartMs(command: string, leading: readonly string[]): number {
  const words = [command, ...leading].map((word) =>
    word
      .split(/[\\/]/)
      .at(-1)
      ?.replace(/\.(exe|cmd|bat)$/i, '')
      .toLowerCase(),
  );
  return words.some((word) => word !== undefined && downloaders.has(word)) ? 60_000 : 10_000;
}

function toRoot(root: string, folder: string | undefined): Root {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(root)) return { uri: root };
  const path = folder === undefined || isAbsolute(root) ? root : resolve(folder, root);
  return { uri: pathToFileURL(path).href };
}
