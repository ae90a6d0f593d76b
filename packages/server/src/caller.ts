// Who calls, when that is an agent: the headers that requests of agents carry on one machine, and what calls of tools carry
// where one channel has many of them. They may only narrow.

import { type Above, type Agent, AgentError, callerHeaders, idOf, toAncestor } from '@ai-agent/core';

/** As the tools package writes them. */
interface Words {
  readonly depth: string;
  readonly ancestry: string;
  readonly token: string;
}

const keys: Words = { depth: 'ai-agent/depth', ancestry: 'ai-agent/ancestry', token: 'ai-agent/tree' };

/** More names than any chain of agents has. */
const mostNames = 128;

/** Who calls, when that is an agent itself. */
export interface Caller extends Above {
  /** Names its tree, when that runs here and waits for this request. */
  readonly token?: string | undefined;
}

/** Throws `request-invalid`. */
export function callerOf(sent: Headers): Caller | undefined {
  return read((name) => sent.get(name) ?? undefined, callerHeaders, 'The header');
}

/** The same of a call of a tool, by its `_meta`. Throws `request-invalid`. */
export function callerInMeta(meta: Readonly<Record<string, unknown>> | undefined): Caller | undefined {
  return meta && read((name) => (Object.hasOwn(meta, name) ? toText(meta[name]) : undefined), keys, 'In _meta');
}

/** Of what two say of one call: whatever carried it on may have dropped the one or the other. */
export function bothCallers(one: Caller | undefined, other: Caller | undefined): Caller | undefined {
  return one && other ? { ...withKnown(one, other), token: one.token ?? other.token } : (one ?? other);
}

/** What a caller says, and what is known here of the tree that it belongs to: no request is less deep than its own tree. */
export function withKnown(said: Caller, known: Above): Caller {
  const { agents = [], depth = 0 } = said;
  const missing = (known.agents ?? []).filter((name) => !agents.includes(name));
  return { ...said, agents: [...missing, ...agents], depth: Math.max(depth, known.depth ?? 0) };
}

/** Those above whoever is called by this agent. */
export function aboveCalls(agent: Agent, { agents = [], depth = 0 }: Above = {}): Above {
  return {
    agents: [...agents, toAncestor({ name: agent.name, id: idOf(agent) })],
    depth: Math.max(depth, agents.length) + 1,
  };
}

function read(find: (name: string) => string | undefined, words: Words, where: string): Caller | undefined {
  const [depth, ancestry, token] = [find(words.depth), find(words.ancestry), find(words.token)];
  if (depth === undefined && ancestry === undefined && token === undefined) return undefined;
  const wrong = (name: string, what: string) => new AgentError('request-invalid', `${where} ${name} ${what}.`);
  if (depth !== undefined && !/^\d{1,4}$/.test(depth)) throw wrong(words.depth, 'must be a number from 0 to 9999');
  if (token !== undefined && !/^[\da-f]{32}$/.test(token)) throw wrong(words.token, 'must be 32 hexadecimal digits');
  const agents = ancestry === undefined ? [] : toNames(ancestry, (what) => wrong(words.ancestry, what));
  return { agents, depth: Number(depth ?? 0), token };
}

function toNames(ancestry: string, wrong: (what: string) => AgentError): readonly string[] {
  const names = ancestry.split(':', mostNames + 1);
  if (names.length > mostNames) throw wrong(`must not name more than ${mostNames} agents`);
  return names.map((name) => {
    const decoded = decode(name);
    if (decoded === undefined) throw wrong('has a name that is not URL-encoded');
    // Agents have no other names and ids: anything else would only be carried into traces and headers.
    if (!/^[\w.-]{1,128}(?:~[\w.-]{1,64}(?:@[\w.-]{1,64})?)?$/.test(decoded))
      throw wrong('must be names of agents, each alone, as name~id or as name~id@team, with colons between them');
    return decoded;
  });
}

function decode(name: string): string | undefined {
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}

/** As a header would have it; what is neither is nothing that can be read. */
function toText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
