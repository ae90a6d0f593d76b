// The hosts that somebody wrote into a configuration: they may be anywhere, whatever the rule says of their addresses.

import { isIP, isIPv6 } from 'node:net';
import { AgentError, toMatcher } from '@ai-agent/core';

/** A host without brackets, and its port. */
export interface IsNamed {
  (host: string, port: number): boolean;
  /** Those that a host is named for, when that is not any. */
  readonly portsOf: (host: string) => readonly number[];
}

const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443, 'ws:': 80, 'wss:': 443 };

/**
 * Of addresses (`https://api.internal/v1`) and hosts (`api.internal`, `api.internal:8080`, `[::1]:8080`, `*.internal`). Without a
 * port the two usual ones are meant; `:*` is any port. Throws `config-invalid`.
 */
export function readNamed(entries: readonly string[]): IsNamed {
  const matchers = entries.map(toRule);
  const isNamed = (host: string, port: number) => {
    const asked = normalise(host);
    return matchers.some((rule) => (rule.ports === undefined || rule.ports.includes(port)) && rule.isHost(asked));
  };
  const portsOf = (host: string) =>
    matchers.flatMap(({ isHost, ports = [] }) => (isHost(normalise(host)) ? ports : []));
  return Object.assign(isNamed, { portsOf });
}

/** The port that an address means, written or not. */
export function portOf({ protocol, port }: { readonly protocol: string; readonly port: string }): number {
  return port === '' ? (defaultPorts[protocol] ?? 0) : Number(port);
}

interface Rule {
  readonly isHost: (host: string) => boolean;
  /** Any, when there are none. */
  readonly ports?: readonly number[];
}

function toRule(entry: string): Rule {
  const text = entry.trim();
  const rule = text.includes('://') ? ruleOfUrl(text) : ruleOfHost(text);
  if (rule) return rule;
  throw new AgentError('config-invalid', `${JSON.stringify(entry)} names no host.`, {
    remedy: 'Write a host as in api.internal, api.internal:8080, *.internal or https://api.internal/.',
  });
}

function ruleOfUrl(text: string): Rule | undefined {
  const url = URL.parse(text);
  if (!url || url.hostname === '' || defaultPorts[url.protocol] === undefined) return undefined;
  return { isHost: toHostMatcher(url.hostname), ports: [portOf(url)] };
}

const hostAndPort = /^(\[[^\]]+\]|[^\s:/?#@[\]\\]+)(?::(\d{1,5}|\*))?$/;

function ruleOfHost(text: string): Rule | undefined {
  const [, host, port] = hostAndPort.exec(isIPv6(text) ? `[${text}]` : text) ?? [];
  const url = host === undefined ? null : URL.parse(`http://${host}/`);
  if (!url) return undefined;
  const isHost = toHostMatcher(url.hostname);
  if (port === '*') return { isHost };
  return { isHost, ports: port === undefined ? [80, 443] : [Number(port)] };
}

function toHostMatcher(hostname: string): (host: string) => boolean {
  const named = normalise(hostname);
  if (!named.includes('*')) return (host) => host === named;
  const matches = toMatcher([named]);
  // `10.*` means addresses: anybody can have a name that begins so.
  return addressGlob.test(named) ? (host) => isIP(host) !== 0 && matches(host) : matches;
}

const addressGlob = /^(?=.*\d)[\d.*]+$/;

function normalise(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}
