// Whether a server may be reached from where it is to listen: beyond this machine only with keys, or when told plainly.

import { AgentError } from '@ai-agent/core';

export interface Exposure {
  /** What it is to listen on: an address or a name. */
  readonly host: string;
  readonly hasKeys: boolean;
  /** Whether somebody said that everybody may come in: `--open`. */
  readonly isPlainlyOpen: boolean;
}

/** Throws `config-invalid`. */
export function mayListen({ host, hasKeys, isPlainlyOpen }: Exposure): void {
  if (hasKeys || isPlainlyOpen || isLoopback(host)) return;
  const message = `--host ${host} is reached from other machines, and there are no keys: whoever reaches it could use every agent.`;
  throw new AgentError('config-invalid', message, {
    remedy:
      'Add api.keys to .ai-agent.json (ai-agent key <name> makes one), listen on 127.0.0.1, or say --open if everybody may come in.',
  });
}

const loopback =
  /^(?:localhost|(?:[a-z\d-]+\.)+localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|0:0:0:0:0:0:0:1|::ffff:127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/i;

/** A name or an address that leads to this very machine and nowhere else. */
export function isLoopback(host: string): boolean {
  return loopback.test(withoutBrackets(host));
}

/** Every address of the machine. */
export function isWildcard(host: string): boolean {
  return ['', '0.0.0.0', '::', '0:0:0:0:0:0:0:0'].includes(withoutBrackets(host));
}

/** As `Host` names a host: with brackets, in an address of version 6. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
}
