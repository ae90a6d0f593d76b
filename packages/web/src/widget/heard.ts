// Events of a run as the widget hears them: the few that visitors are shown, or, from a server without keys, the whole facts.

import type { Failure } from '../server/documents.ts';

export interface Heard {
  readonly type: string;
  /** The session that it is of. */
  readonly session: string;
  /** Whether that is the one that was asked. */
  readonly isRoot: boolean;
  /** Of a tool: which call. */
  readonly call?: string;
  readonly title?: string;
  readonly status?: string;
  /** A piece of the answer, or at the end all of it. */
  readonly text?: string;
  /** Says which pieces belong together. */
  readonly writing?: string;
  /** All that was written so far: it takes the place of what is there. */
  readonly isSoFar?: boolean;
  readonly report?: unknown;
  readonly failure?: Failure;
}

/** Nothing for what is not about the answer or what goes on. */
export function hear(data: string): Heard | undefined {
  const event = JSON.parse(data) as Told;
  const { type } = event;
  const { session, root } = placeOf(event);
  const about = { type, session, isRoot: session === root };
  if (type === 'text-delta') {
    if (event.answers !== root) return undefined;
    const writing = `${session} ${event.turn} ${event.attempt}`;
    return { ...about, text: event.text ?? '', writing, isSoFar: event.isSoFar === true };
  }
  if (type === 'tool-start') return { ...about, ...callOf(event), ...(event.title ? { title: event.title } : {}) };
  if (type === 'tool-end') return { ...about, ...callOf(event), ...statusOf(event.status ?? event.result?.status) };
  // A new round begins: whatever was told of another is not of this one.
  if (type === 'session-start') return about.isRoot ? about : undefined;
  // What those below say is not the answer.
  return type === 'session-end' && about.isRoot ? { ...about, ...endOf(event.ending ?? event) } : undefined;
}

function placeOf({ trace, session = '', root = '' }: Told): { readonly session: string; readonly root: string } {
  return trace ? { session: trace.selfId, root: trace.originId } : { session, root };
}

/** Both ways to tell it, as far as either is read. */
interface Told extends End {
  readonly type: string;
  readonly trace?: { readonly selfId: string; readonly originId: string };
  readonly session?: string;
  readonly root?: string;
  readonly answers?: string;
  readonly turn?: number;
  readonly attempt?: number;
  readonly isSoFar?: true;
  readonly op?: string;
  readonly call?: string | object;
  readonly title?: string | null;
  readonly result?: { readonly status: string };
  readonly ending?: End;
}

interface End {
  readonly status?: string;
  readonly text?: string;
  readonly report?: unknown;
  readonly failure?: Failure;
}

function callOf({ op, call, session, trace }: Told): { readonly call: string } {
  return { call: `${trace?.selfId ?? session} ${op ?? String(call)}` };
}

function statusOf(status: string | undefined): { readonly status?: string } {
  return status === undefined ? {} : { status };
}

function endOf({ status, text, report, failure }: End): Partial<Heard> {
  return {
    ...statusOf(status),
    ...(text === undefined ? {} : { text }),
    ...(report === undefined ? {} : { report }),
    ...(failure ? { failure } : {}),
  };
}
