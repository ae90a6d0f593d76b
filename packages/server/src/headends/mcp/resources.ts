// Runs that have ended as resources: the answer of each, and all that is known of it.

import type { SessionHead } from '@ai-agent/core';
import { isAgentError, resultOf } from '@ai-agent/core';
import {
  type ListResourcesResult,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import { factsOf } from '../../facts-of.ts';
import type { Hall } from '../../hall.ts';
import type { Format } from '../../read-output.ts';
import { toSafeJson } from '../../safe-json.ts';
import { toSessionDocument } from '../../session-document.ts';
import type { Visitor } from '../../visitor.ts';
import { mimeTypes, toAnswerContent } from './session-answer.ts';
import { nextAfter, pageOf } from './session-pages.ts';

const root = 'ai-agent://sessions/';
const address = /^ai-agent:\/\/sessions\/([\w-]{1,200})(\/document)?$/;

export const resourceTemplates: ResourceTemplateType[] = [
  {
    name: 'answer',
    title: 'The answer of a run',
    description: 'What a run of yours came to: its answer in the form that was asked for, or why there is none.',
    uriTemplate: `${root}{id}`,
  },
  {
    name: 'document',
    title: 'All that is known of a run',
    description: 'How a run of yours stands, what it came to, what it used, and what was done in it step by step.',
    uriTemplate: `${root}{id}/document`,
    mimeType: mimeTypes.json,
  },
];

/** Those of this visitor that have ended, the newest first, a page at a time. */
export async function listResources(hall: Hall, visitor: Visitor, cursor?: string): Promise<ListResourcesResult> {
  const { page, next } = await pageOf(hall, visitor, cursor);
  const formats = new Map(hall.agentsFor(visitor).map(({ name, agent }) => [name, resultOf(agent)?.format]));
  const resources = page.map((head) => toResource(head, formats.get(head.agent) ?? 'text'));
  return { resources, ...(next ? { nextCursor: nextAfter(next) } : {}) };
}

function toResource(head: SessionHead, own: Format): Resource {
  const { id, agent, status, createdAt, endedAt = createdAt, output } = head;
  const isAnswer = status === 'completed' || status === 'partial';
  return {
    uri: `${root}${id}`,
    name: `${agent} ${id}`,
    title: `${agent}, ${inMinutes(createdAt)}`,
    description: `${words[status]} Asked of ${agent} at ${new Date(createdAt).toISOString()}.`,
    mimeType: mimeTypes[isAnswer ? (output?.format ?? own) : 'text'],
    annotations: { lastModified: new Date(endedAt).toISOString() },
  };
}

function inMinutes(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

const words: Readonly<Record<SessionHead['status'], string>> = {
  queued: 'Waits to begin.',
  running: 'Runs.',
  completed: 'An answer.',
  partial: 'A part of an answer: a limit stopped the run.',
  needs_user_input: 'A question: the run waits for an answer.',
  needs_client_tools: 'Calls: the run waits for whoever asked to run them.',
  failed: 'The run failed.',
  cancelled: 'The run was cancelled.',
  interrupted: 'It was interrupted: the server that ran it is gone.',
};

/** Throws that there is none, also for what is somebody else's. */
export async function readResource(hall: Hall, visitor: Visitor, uri: string): Promise<ReadResourceResult> {
  const [, id, isDocument] = address.exec(uri) ?? [];
  if (id === undefined) throw new ResourceNotFoundError(uri);
  const head = await find(hall, visitor, { id, uri });
  const facts = await factsOf(hall, head, hall.live(id));
  const content = isDocument
    ? { mimeType: mimeTypes.json, text: toSafeJson(toSessionDocument(head, facts, hall)) }
    : toAnswerContent(head, facts);
  return { contents: [{ uri, ...content }] };
}

async function find(hall: Hall, visitor: Visitor, { id, uri }: { readonly id: string; readonly uri: string }) {
  try {
    return await hall.session(id, visitor);
  } catch (error) {
    throw isAgentError(error) && error.code === 'session-unknown' ? new ResourceNotFoundError(uri) : error;
  }
}
