// Why agents below the root failed or never began, in a line each: the panel has room for the kind of failure alone.

import { type Failure, oneLine, type SessionNode, type ToolNode } from '@ai-agent/core';
import { toRolePrefix } from './role.ts';

/** More is not read at the end of a run; `--show-tree` has all of it. */
const most = 5;

/** In the order of the tree. What the failure of the root says already is left out. */
export function toReasons(root: SessionNode): readonly string[] {
  const told = root.failure?.message;
  const all = reasonsBelow(root).filter(({ failure: { message } }) => told?.includes(message) !== true);
  const lines = all.map(({ who, status, failure }) =>
    oneLine(`✗ ${who} ${status} (${failure.class}): ${failure.message}`),
  );
  return lines.length <= most ? lines : [...lines.slice(0, most), `and ${lines.length - most} more`];
}

interface Reason {
  readonly who: string;
  readonly status: 'failed' | 'refused';
  readonly failure: Failure;
}

function reasonsBelow({ turns }: SessionNode): readonly Reason[] {
  return turns.flatMap(({ operations }) => operations).flatMap((one) => (one.type === 'tool' ? reasonsOf(one) : []));
}

/** Of a call that no agent does, its model was told. */
function reasonsOf(tool: ToolNode): readonly Reason[] {
  const { session, inside = [], status, failure, partner, instance, title } = tool;
  const sessions = session ? [session] : inside;
  if (sessions.length > 0) return sessions.flatMap(reasonsFrom);
  const isOfAgent = title !== null || partner !== undefined;
  if (!isOfAgent || !failure || (status !== 'failed' && status !== 'refused')) return [];
  return [{ who: `${toRolePrefix(partner)}${instance}`, status, failure }];
}

function reasonsFrom(session: SessionNode): readonly Reason[] {
  const { status, failure, partner, trace } = session;
  const who = `${toRolePrefix(partner)}${trace.instanceName}`;
  const own: readonly Reason[] = status === 'failed' && failure ? [{ who, status, failure }] : [];
  return [...own, ...reasonsBelow(session)];
}
