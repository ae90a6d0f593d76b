// How sessions are shown to whoever asks for one: all of it, or, to those who come with a key out of a page, what is for visitors.

import { type AgentEvent, type Fact, jsonReportOf, outcomeOf, type Question, type SessionHead } from '@ai-agent/core';
import { asSafe } from '../../safe-json.ts';
import { failureOf, type Kept, toHeadDocument, toSessionDocument } from '../../session-document.ts';
import type { Visitor } from '../../visitor.ts';
import { toBrief } from './brief.ts';
import { toVisibleEvent, toVisibleFailure } from './visible-events.ts';

export interface SessionView {
  /** How it stands. */
  head(head: SessionHead, hall: Kept): object;
  /** The same, and what it came to. */
  whole(head: SessionHead, facts: readonly Fact[], hall: Kept): object;
  /** Nothing for what is not told. */
  event(event: AgentEvent): object | undefined;
}

/** With the id of a session, its facts are cut for a timeline, and nobody hears the words of sessions below while they come. */
export function viewOf({ isOfPage }: Visitor, briefOf?: string): SessionView {
  if (isOfPage) return forVisitors;
  if (briefOf === undefined) return forKeyHolders;
  return { ...forKeyHolders, event: (event) => toBriefEvent(event, briefOf) };
}

function toBriefEvent(event: AgentEvent, sessionId: string): object | undefined {
  if (event.kind === 'fact') return toBrief(asSafe(event), sessionId);
  const { originId, selfId } = event.trace;
  const isOther =
    event.type === 'text-delta' ? event.answers !== originId : event.type === 'reasoning-delta' && selfId !== originId;
  return isOther ? undefined : event;
}

const forKeyHolders: SessionView = { head: toHeadDocument, whole: toSessionDocument, event: (event) => event };

const forVisitors: SessionView = {
  head: toVisibleHead,
  whole(head, facts) {
    const ended = head.endedAt === undefined || failureOf(head) ? undefined : outcomeOf(facts);
    const report = ended && jsonReportOf(ended);
    const limit = head.limit ?? (ended && 'limit' in ended ? ended.limit : undefined);
    const failure = ended && 'failure' in ended ? { failure: toVisibleFailure(ended.failure) } : {};
    const text = head.draft ?? ended?.text;
    return {
      ...failure,
      ...toVisibleHead(head),
      ...(text === undefined ? {} : { text }),
      ...(report === undefined ? {} : { report }),
      ...(limit === undefined ? {} : { limit }),
      // Which agents there are, and why one failed, is not for visitors.
      ...(ended && ended.incomplete.length > 0 ? { isIncomplete: true } : {}),
    };
  },
  event: toVisibleEvent,
};

function toVisibleHead(head: SessionHead): object {
  const { id, agent, status, title, createdAt, endedAt, question, draft } = head;
  const failure = failureOf(head);
  return {
    id,
    agent,
    status,
    ...(title === undefined ? {} : { title }),
    createdAt,
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(draft === undefined ? {} : { draft }),
    ...(question ? { question: toVisibleQuestion(question) } : {}),
    ...(failure ? { failure: toVisibleFailure(failure) } : {}),
  };
}

export type VisibleQuestion = Pick<Question, 'type' | 'text' | 'choices' | 'schema'>;

/** Whoever is asked for leave is told of a call with its arguments, and that is no visitor. */
export function toVisibleQuestion({ type, text, choices, schema }: Question): VisibleQuestion {
  if (type === 'approval') return { type, text: 'It waits for leave, which visitors of a page cannot give.' };
  return { type, text, ...(choices ? { choices } : {}), ...(schema ? { schema } : {}) };
}
