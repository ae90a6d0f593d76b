// What is said to who wants to go where tools may not go. It survives being wrapped by whoever carries the request.

import { AgentError } from '@ai-agent/core';

class Refusal extends AgentError {}

export interface RefusalOptions {
  /** What to write into allowedHosts, when that would help. */
  readonly host?: string;
  readonly remedy?: string;
}

/** `where` shows no query and no password. */
export function toRefusal(where: string, reason: string, { host, remedy }: RefusalOptions = {}): AgentError {
  const allow = host === undefined ? undefined : nameIt(host);
  const said = remedy ?? allow;
  return new Refusal('tool-failed', `${where} is not allowed: ${reason}.`, {
    class: 'tool',
    ...(said === undefined ? {} : { remedy: said }),
  });
}

function nameIt(host: string): string {
  return `Name the host in the configuration of this tool if it is meant: allowedHosts: [${JSON.stringify(host)}].`;
}

/** As fetch rejects: protocol libraries let this kind through where they swallow others. */
export function toFetchError(cause: AgentError): TypeError {
  return new TypeError(cause.message, { cause });
}

/** The refusal that an error comes from, of fetch, of a WebSocket, of a library around them. */
export function refusalIn(error: unknown): AgentError | undefined {
  return causesOf(error).find((cause) => cause instanceof Refusal);
}

/** An error and everything it says it comes from, the outermost first. */
export function causesOf(error: unknown): readonly unknown[] {
  const found: unknown[] = [];
  const rest = [error];
  for (let next = rest.shift(); next !== undefined && found.length < mostCauses; next = rest.shift()) {
    if (typeof next !== 'object' || next === null || found.includes(next)) continue;
    found.push(next);
    const { cause, error: inner, errors } = next as { cause?: unknown; error?: unknown; errors?: unknown };
    rest.push(...[cause, inner, ...(Array.isArray(errors) ? errors : [])].filter((one) => one !== undefined));
  }
  return found;
}

const mostCauses = 32;
