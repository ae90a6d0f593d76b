// Web pages as visitors: which of them may read what we say, and which may not even ask.

import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { AgentError, toMatcher } from '@ai-agent/core';
import { isLoopback, isWildcard, withoutBrackets } from './exposure.ts';

export interface OriginOptions {
  /** Origins of pages that may use this server from a browser: `https://app.example`; or `*`, with keys alone. @default none */
  readonly cors?: readonly string[] | undefined;
  /** The same with `*` for any letters, also without keys: for a port where nothing is but what strangers may have. @default none */
  readonly patterns?: readonly string[] | undefined;
  /** Names under which this server is known, beside those of this machine. @default none */
  readonly hosts?: readonly string[] | undefined;
  /** What it listens on. @default 127.0.0.1 */
  readonly host?: string | undefined;
}

export class Origins {
  readonly #cors: ReadonlySet<string>;
  readonly #fits: (origin: string) => boolean;
  readonly #hasPatterns: boolean;
  readonly #hosts: ReadonlySet<string>;
  readonly #host: string;
  /** The header of the last that was ours: most visitors use the same name. */
  #lastHost: string | undefined;

  constructor({ cors = [], patterns = [], hosts = [], host = '127.0.0.1' }: OriginOptions) {
    this.#cors = new Set(cors.map((origin) => origin.toLowerCase().replace(/\/$/, '')));
    this.#hasPatterns = patterns.length > 0;
    this.#fits = this.#hasPatterns ? toMatcher(patterns) : () => false;
    this.#hosts = new Set([...hosts, ...(isLoopback(host) ? [] : namesOfMachine())].map(withoutBrackets));
    this.#host = withoutBrackets(host);
  }

  get hasCors(): boolean {
    return this.#cors.size > 0 || this.#hasPatterns;
  }

  get isForAll(): boolean {
    return this.#cors.has('*');
  }

  /** Whether a page of this origin may read our replies. */
  allows(origin: string | null): boolean {
    if (origin === null) return false;
    return this.isForAll || this.#cors.has(origin.toLowerCase()) || this.#fits(origin);
  }

  /**
   * For a server that asks nobody for a key: a page in a browser on this machine could use it, under its own name or under one
   * that leads here. Throws `origin-refused`.
   */
  guard(request: Request): void {
    const { headers } = request;
    const host = hostOf(request);
    if (host !== this.#lastHost) {
      if (!this.#isOurs(host)) throw refused(`This server is not known as ${shown(host)}.`, hostRemedy);
      this.#lastHost = host;
    }
    this.guardOrigin(request);
    const origin = headers.get('origin');
    const site = headers.get('sec-fetch-site');
    // Pictures, links and forms of other pages say no origin when they fetch; the browser says this.
    if (origin === null && (site === 'cross-site' || site === 'same-site'))
      throw refused('Pages of other sites may not use this server.', siteRemedy);
  }

  /** For what is not for pages of other sites, whatever key they have. Throws `origin-refused`. */
  guardOrigin(request: Request): void {
    const origin = request.headers.get('origin');
    if (origin === null || this.allows(origin) || isOfHost(origin, hostOf(request))) return;
    throw refused(`Pages of ${shown(origin)} may not use this server.`, originRemedy);
  }

  /** An address cannot be made to lead elsewhere; a name can. */
  #isOurs(header: string): boolean {
    const name = withoutBrackets(header.replace(/:\d*$/, ''));
    if (isLoopback(name) || this.#hosts.has(name) || name === this.#host) return true;
    return isWildcard(this.#host) && isIP(name) !== 0;
  }
}

/** Who is called by a program may get no such header: then the address is all that there is. */
function hostOf({ headers, url }: Request): string {
  return headers.get('host') ?? new URL(url).host;
}

/** A page that this server itself gave out. */
function isOfHost(origin: string, host: string): boolean {
  const url = URL.parse(origin);
  return url !== null && /^https?:$/.test(url.protocol) && url.host === host.toLowerCase();
}

const hostRemedy =
  'Ask for an address of the server, or name the host where it is started: --allow-host, or api.hosts of .ai-agent.json.';
const originRemedy = 'Name this origin in api.cors of .ai-agent.json where the server is started.';
const siteRemedy = 'Open the address in a tab of its own; a page may ask with fetch, from an origin in api.cors.';

function refused(message: string, remedy: string): AgentError {
  return new AgentError('origin-refused', message, { remedy });
}

/** Whatever was sent, it is short and has nothing in it but what hosts and origins have. */
export function shown(sent: string): string {
  return /^[\w.:/[\]-]{1,100}$/.test(sent) ? sent : 'what was sent';
}

/** As others in its network call this machine. */
export function namesOfMachine(): readonly string[] {
  const name = hostname();
  const [short = name] = name.split('.');
  return [...new Set([name, short, `${short}.local`])].filter((one) => /^[\w-]/.test(one));
}
