// Ports for chats in pages alone, as `--embed` says it: `site:8084`, where `site` is in the section embed of the configuration.

import { basename } from 'node:path';
import type { EmbedSettings } from '@ai-agent/agents';
import { toMatcher } from '@ai-agent/core';
import { type EmbedProfile, isLoopback } from '@ai-agent/server';

export interface EmbedPort {
  /** The name of its profile. */
  readonly name: string;
  readonly port: number;
}

const lastPort = 65_535;

/** What cannot be meant is told as a sentence. */
export function readEmbedPorts(values: readonly string[], problems: string[]): readonly EmbedPort[] {
  return values.flatMap((value) => {
    const [, name = '', said = ''] = /^([^:]+):(\d+)$/.exec(value) ?? [];
    if (name !== '' && Number(said) <= lastPort) return [{ name, port: Number(said) }];
    problems.push(
      `--embed must be a name in embed of .ai-agent.json and a port, such as site:8084; "${value}" is none.`,
    );
    return [];
  });
}

export function toEmbedProfile(name: string, settings: EmbedSettings): EmbedProfile {
  const { allowedAgents, rateLimit, metrics } = settings;
  const { enabled = true, requestsPerMinute = 0, burstSize } = rateLimit ?? {};
  return {
    name,
    agents: allowedAgents?.map(toName),
    rate:
      enabled && requestsPerMinute > 0 ? { perMinute: requestsPerMinute, burst: burstSize || undefined } : undefined,
    metricsPath: metrics?.enabled ? toPath(metrics.path) : undefined,
  };
}

/** Whom one can chat with there, of all that are served. */
export function namesAt(settings: EmbedSettings, names: readonly string[]): readonly string[] {
  const { agents } = toEmbedProfile('', settings);
  return agents ? names.filter(toMatcher(agents)) : names.slice(0, 1);
}

/** Pages that may use it: those that are named, else those of this machine, where it is reached from there alone. */
export function originsOf({ corsOrigins }: EmbedSettings, host: string): readonly string[] {
  if (corsOrigins) return corsOrigins;
  return isLoopback(host) ? ['http://localhost:*', 'http://127.0.0.1:*'] : [];
}

/** What one would not expect. */
export function embedNotes(name: string, settings: EmbedSettings, host: string): readonly string[] {
  const { auth, corsOrigins } = settings;
  const pages = isLoopback(host) ? 'pages of this machine alone may use it' : 'no page of another origin may use it';
  return [
    ...(auth === undefined
      ? []
      : [`embed.${name}.auth is not used: it is of another vendor. Whoever should need a key needs api.keys.`]),
    ...(corsOrigins ? [] : [`embed.${name} has no corsOrigins: ${pages}, and those of publishable keys.`]),
  ];
}

/** Older configurations name files: an agent is called as its file is. */
function toName(agent: string): string {
  return /[\\/]|\.ai$/.test(agent) ? basename(agent).replace(/\.ai$/, '') : agent;
}

function toPath(path = '/metrics'): string {
  return path.startsWith('/') ? path : `/${path}`;
}
