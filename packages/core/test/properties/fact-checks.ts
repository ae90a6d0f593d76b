// The facts of a tree tell one story: complete, in order, and nobody outlives who called it.

import type { Fact } from '@ai-agent/core';
import { selfAndAncestors } from '../../src/place.ts';
import type { Stage } from './stage.ts';
import type { Ended } from './world.ts';

export function factsAreInOrder({ stages }: Ended): readonly string[] {
  return stages.flatMap((stage) => [
    ...eachInOrder(stage),
    ...allHaveEnds(stage),
    ...noneOutlives(stage),
    ...namesAreUnique(stage),
    ...limitsAreNoFailures(stage),
  ]);
}

function eachInOrder({ facts }: Stage): readonly string[] {
  const last = new Map<string, Fact>();
  return facts.flatMap((fact) => {
    const id = fact.trace.selfId;
    const before = last.get(id);
    last.set(id, fact);
    if (fact.seq !== (before?.seq ?? 0) + 1) return [`${id}: fact ${fact.seq} comes after ${before?.seq ?? 0}`];
    return fact.at < (before?.at ?? 0) ? [`${id}: fact ${fact.seq} is earlier than the one before`] : [];
  });
}

/** Only a cancellation leaves something begun and not ended; sessions always end. */
function allHaveEnds({ facts, name }: Stage): readonly string[] {
  const open = new Map<string, Fact>();
  const problems: string[] = [];
  for (const fact of facts) {
    const [what, end] = fact.type.split('-');
    const key = `${fact.trace.selfId} ${what} ${what === 'session' ? '' : fact.op}`;
    if (end === 'start' && open.has(key)) problems.push(`${key} begins twice`);
    if (end === 'end' && !open.has(key)) problems.push(`${key} ends without a beginning`);
    if (end === 'start') open.set(key, fact);
    else open.delete(key);
    if (fact.type === 'session-end' && fact.ending.status !== 'cancelled')
      problems.push(...leftOpen(open, fact.trace.selfId));
  }
  const sessions = [...open.values()].filter(({ type }) => type === 'session-start');
  return [...problems, ...sessions.map(({ trace }) => `${name}: session ${trace.selfId} has no end`)];
}

function leftOpen(open: ReadonlyMap<string, Fact>, sessionId: string): readonly string[] {
  return [...open].flatMap(([key, { trace }]) => (trace.selfId === sessionId ? [`${key} has no end`] : []));
}

function noneOutlives({ facts }: Stage): readonly string[] {
  const ended = new Set<string>();
  return facts.flatMap((fact) => {
    const id = fact.trace.selfId;
    const dead = selfAndAncestors(id).find((other) => ended.has(other));
    if (fact.type === 'session-end') ended.add(id);
    return dead === undefined ? [] : [`${id}: ${fact.type} comes after the end of ${dead}`];
  });
}

function namesAreUnique({ facts }: Stage): readonly string[] {
  const live = new Map<string, string>();
  return facts.flatMap((fact) => {
    const { selfId, parentId, instanceName } = fact.trace;
    const key = `${parentId} ${instanceName}`;
    if (fact.type === 'session-end') live.delete(key);
    if (fact.type !== 'session-start') return [];
    const other = live.get(key);
    live.set(key, selfId);
    return other === undefined ? [] : [`${selfId} and ${other} are both called ${instanceName}`];
  });
}

/** A session that has got as far as a reply has something to show: a limit makes it partial, not failed. */
function limitsAreNoFailures({ facts }: Stage): readonly string[] {
  const replied = new Set<string>();
  return facts.flatMap((fact) => {
    const { selfId } = fact.trace;
    if (fact.type === 'tool-start' || (fact.type === 'model-end' && fact.reply)) replied.add(selfId);
    const isFailed =
      fact.type === 'session-end' && fact.ending.status === 'failed' && fact.ending.failure.class === 'budget';
    return isFailed && replied.has(selfId) ? [`${selfId} failed because of a limit, and had a reply`] : [];
  });
}
