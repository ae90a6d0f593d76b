// Who calls, for requests that stay on this machine: a server of ours can tell how deep it is, and in whose service.

/** As its trace says it. */
export interface Calling {
  readonly callPath: string;
  readonly originId: string;
}

export interface CallerFacts {
  /** How many agents are at work above, the one that calls included. */
  readonly depth: number;
  /** Their names from the root, each url-encoded, joined by colons. */
  readonly ancestry: string;
}

export function factsOfCaller({ callPath }: Pick<Calling, 'callPath'>): CallerFacts {
  const agents = callPath.split(':');
  return { depth: agents.length, ancestry: agents.map(encodeURIComponent).join(':') };
}

/**
 * The same as headers of a request. The token names the tree that calls to the process that runs it, and to nobody else: a
 * server of ours there knows that the tree waits, and lets nobody wait for it in turn.
 */
export function headersOfCaller(calling: Calling, token: string | undefined): Readonly<Record<string, string>> {
  const { depth, ancestry } = factsOfCaller(calling);
  const headers = { [callerHeaders.depth]: String(depth), [callerHeaders.ancestry]: ancestry };
  return token === undefined ? headers : { ...headers, [callerHeaders.token]: token };
}

export const callerHeaders = {
  depth: 'x-ai-agent-depth',
  ancestry: 'x-ai-agent-ancestry',
  token: 'x-ai-agent-tree',
} as const;

const here = /^(?:localhost|.*\.localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\]|\[::ffff:(?:7f..:[\da-f]+|0:0)\])\.?$/;

/** By its name, as addresses are written after they were parsed. An unspecified address leads here too. */
export function isHere(hostname: string): boolean {
  return here.test(hostname);
}
