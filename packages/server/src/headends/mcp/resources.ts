// Runs that have ended as resources: the answer of each, and all that is known of it.

import {
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import { factsOf } from '../../facts-of.ts';
import type { Hall } from '../../hall.ts';
import { toSafeJson } from '../../safe-json.ts';
import { toSessionDocument } from '../../session-document.ts';
import type { Visitor } from '../../visitor.ts';

const root = 'ai-agent://sessions/';
const mostListed = 100;

export const resourceTemplates: ResourceTemplateType[] = [
  {
    name: 'session',
    title: 'A run that has ended',
    uriTemplate: `${root}{id}`,
    mimeType: 'application/json',
  },
];

export async function listResources(hall: Hall, visitor: Visitor): Promise<Resource[]> {
  const heads = await hall.sessions(visitor, mostListed);
  return heads
    .filter(({ endedAt }) => endedAt !== undefined)
    .map(({ id, agent, status }) => ({
      uri: `${root}${id}`,
      name: `${agent} ${id}`,
      description: status,
      mimeType: 'application/json',
    }));
}

export async function readResource(hall: Hall, visitor: Visitor, uri: string): Promise<ReadResourceResult> {
  const id = uri.startsWith(root) ? uri.slice(root.length) : '';
  try {
    const head = await hall.session(id, visitor);
    const text = toSafeJson(toSessionDocument(head, await factsOf(hall, head, hall.live(id))));
    return { contents: [{ uri, mimeType: 'application/json', text }] };
  } catch {
    throw new ResourceNotFoundError(uri);
  }
}
