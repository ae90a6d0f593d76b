// The view behind Details: who worked on it, what each used and how long it took, and the ledger.

import {
  type Fact,
  finSummaryOf,
  type IncompleteChild,
  incompleteIn,
  isUnderWay,
  ledgerOf,
  nameOfSession,
  OpTreeFold,
  roundIdOf,
  type SessionHead,
  type SessionNode,
  shortCost,
  shortTokens,
} from '@ai-agent/core';
import type { types } from '@slack/bolt';
import type { Atom } from '../blocks/atoms.ts';
import { limits } from '../blocks/limits.ts';
import { packBlocks } from '../blocks/pack-blocks.ts';
import { cleanText, cut, toPlain, wholeCharacters } from '../blocks/safe-text.ts';
import { type Span, toSpans } from '../blocks/spans.ts';
import { timeIn } from '../run/figures.ts';
import { nameOf, reasonOf } from '../run/incomplete.ts';
import { childrenOf } from '../run/run-view.ts';

/** Nobody reads more than this of a tree, and a view has room for its blocks. */
const mostSessions = 60;
const mostMissing = 20;
const mostOfLedger = 2_800;

export function loadingView(): types.ModalView {
  return toView([{ type: 'context', elements: [{ type: 'plain_text', text: 'Reading the session…', emoji: false }] }]);
}

export function detailsView(head: SessionHead | undefined, facts: readonly Fact[]): types.ModalView {
  if (!head)
    return toView([
      { type: 'context', elements: [{ type: 'plain_text', text: 'It is not kept any more.', emoji: false }] },
    ]);
  const roots = rootsOf(facts);
  const ledger = ledgerOf(facts, { isOver: head.endedAt !== undefined });
  const lines = finSummaryOf(ledger).lines.map((line) => line.replace(/^FIN /, ''));
  return toView([
    {
      type: 'context',
      elements: [
        { type: 'plain_text', text: toPlain(`${head.agent} · ${head.status} · ${head.id}`, 300), emoji: false },
      ],
    },
    { type: 'header', text: { type: 'plain_text', text: 'Who worked on it', emoji: false } },
    ...toTree(roots, head),
    ...toMissing(incompleteIn(roots.at(-1), { isInterrupted: head.status === 'interrupted' })),
    { type: 'header', text: { type: 'plain_text', text: 'Ledger', emoji: false } },
    {
      type: 'rich_text',
      elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: toLedger(lines) }] }],
    },
  ]);
}

/** One for each round. */
function rootsOf(facts: readonly Fact[]): readonly SessionNode[] {
  const fold = new OpTreeFold();
  const ids = new Set<string>();
  for (const fact of facts) {
    fold.add(fact);
    ids.add(fact.trace.originId);
  }
  return [...ids].flatMap((id) => fold.session(id) ?? []);
}

/** In as many blocks as it takes. */
function toTree(roots: readonly SessionNode[], head: SessionHead): readonly types.KnownBlock[] {
  const all = roots.flatMap((root) => [{ session: root, depth: 0 }, ...childrenOf(root, 1)]);
  const items = all.slice(0, mostSessions).map(({ session, depth }) => toItem(toStood(session, head), depth));
  const more = all.length - items.length;
  if (more > 0) items.push(toListed(toSpans(`and ${more} more`), 0));
  if (items.length === 0) items.push(toListed(toSpans('Nobody yet'), 0));
  return [...packBlocks(items)].map(({ block }) => block);
}

/** Sub-agents whose work is missing from the last answer, and why. Nothing if there are none. */
function toMissing(children: readonly IncompleteChild[]): readonly types.KnownBlock[] {
  if (children.length === 0) return [];
  const items = children.slice(0, mostMissing).map((child) => {
    const title = child.title ? `  ${toPlain(child.title, 150)}` : '';
    const words = `${title}  ${toPlain(reasonOf(child), 300)}`;
    return toListed([...toSpans(nameOf(child), { bold: true }), ...toSpans(words)], 0);
  });
  const more = children.length - items.length;
  if (more > 0) items.push(toListed(toSpans(`and ${more} more`), 0));
  const header: types.KnownBlock = {
    type: 'header',
    text: { type: 'plain_text', text: 'Missing from the answer', emoji: false },
  };
  return [header, ...[...packBlocks(items)].map(({ block }) => block)];
}

/** What had not ended when its process was gone does not run: neither where nobody works on it any more, nor in an earlier round. */
function toStood(session: SessionNode, head: SessionHead): SessionNode {
  const isAlive = isUnderWay(head) && session.trace.originId === roundIdOf(head);
  return session.status === 'running' && !isAlive
    ? { ...session, status: 'interrupted' as SessionNode['status'] }
    : session;
}

function toItem(session: SessionNode, depth: number): Atom {
  const { title, status, usage, startedAt, endedAt, limit } = session;
  const figures = [
    `${status.replaceAll('_', ' ')}${limit === undefined ? '' : ` (${limit})`}`,
    ...(usage ? [shortTokens(usage), shortCost(usage)] : []),
    ...(endedAt === undefined ? [] : [timeIn(endedAt - startedAt)]),
  ];
  const words = `${title ? `  ${toPlain(title, 150)}` : ''}  ${figures.join(' · ')}`;
  return toListed([...toSpans(toPlain(nameOfSession(session), 80), { bold: true }), ...toSpans(words)], depth);
}

function toListed(spans: readonly Span[], depth: number): Atom {
  const indent = Math.min(depth, limits.list.indent);
  return { kind: 'item', spans, style: 'bullet', indent, number: 0, isQuoted: false };
}

/** Its beginning and its total where it is too long. */
function toLedger(lines: readonly string[]): string {
  const all = cleanText(lines.join('\n'));
  if (all.length <= mostOfLedger) return all;
  const total = cut(cleanText(lines.at(-1) ?? ''), mostOfLedger / 2);
  return `${all.slice(0, wholeCharacters(all, mostOfLedger - total.length))}\n…\n${total}`;
}

function toView(blocks: types.KnownBlock[]): types.ModalView {
  return {
    type: 'modal',
    callback_id: 'details',
    title: { type: 'plain_text', text: 'Details', emoji: false },
    close: { type: 'plain_text', text: 'Close', emoji: false },
    blocks,
  };
}
