// The message that shows a run at work: who is at work below it, what it has used so far, and how to end it.

import { shortCost, shortTokens } from '@ai-agent/core';
import type { types } from '@slack/bolt';
import { workButtons } from '../act/buttons.ts';
import { toDraftBlocks } from '../blocks/draft.ts';
import { escapeMrkdwn, toPlain } from '../blocks/safe-text.ts';
import type { SlackMessage } from '../blocks/to-messages.ts';
import { timeIn } from './figures.ts';
import type { Child, RunView } from './run-view.ts';

export interface StatusOptions {
  readonly agent: string;
  readonly asker: string;
  /** Time since the start of the run. */
  readonly ranMs: number;
  /** The wall clock, as in the times of facts. */
  readonly now: number;
  /** What was wished of it. */
  readonly wish: 'stop' | 'cancel' | undefined;
  /** Whether the draft stands here: there is no other place for it. */
  readonly hasDraft: boolean;
}

/** Of more than this, the rest is counted. */
const mostChildren = 10;

export function toStatus(view: RunView, options: StatusOptions): SlackMessage {
  const { agent, asker, wish, hasDraft, ranMs, now } = options;
  const draft = hasDraft && view.draft !== '' ? toDraftBlocks(view.draft) : [];
  const { totals } = view;
  const used = totals.modelCalls > 0 ? [shortTokens(totals), shortCost(totals)] : [];
  const figures = [...used, timeIn(ranMs)].join(' · ');
  const doing = doingOf(view, options);
  return {
    text: escapeMrkdwn(toPlain(`${agent} ${doing}`, 200)),
    blocks: [
      ...draft,
      { type: 'rich_text', elements: [toHead(agent, doing), ...toList(view.working(now))] },
      { type: 'context', elements: [{ type: 'plain_text', text: figures, emoji: false }] },
      ...(wish === 'cancel' ? [] : [workButtons(asker, wish === 'stop')]),
    ],
  };
}

function doingOf(view: RunView, { wish, now }: StatusOptions): string {
  if (wish === 'cancel') return 'is being cancelled';
  if (wish === 'stop') return 'is asked to stop, and sums up';
  if (view.isWaiting) return 'waits for a place';
  const { all, done } = view.counts;
  if (view.working(now).length > 0) return all > 1 ? `is at work, ${done} of ${all} done` : 'is at work';
  return view.draft === '' ? 'is at work' : 'writes';
}

function toHead(agent: string, doing: string): types.RichTextSection {
  return {
    type: 'rich_text_section',
    elements: [
      { type: 'text', text: toPlain(agent, 100), style: { bold: true } },
      { type: 'text', text: ` ${doing}` },
    ],
  };
}

/** One item for each, also where several of one name are at work. */
function toList(children: readonly Child[]): readonly types.RichTextList[] {
  const shown = children.slice(0, mostChildren);
  const more = children.length - shown.length;
  const lists = shown.map(({ name, title, ms, depth }) => ({
    type: 'rich_text_list' as const,
    style: 'bullet' as const,
    indent: Math.min(depth, 4),
    elements: [
      {
        type: 'rich_text_section' as const,
        elements: [
          { type: 'text' as const, text: toPlain(name, 80), style: { bold: true } },
          { type: 'text' as const, text: `${title === '' ? '' : `  ${toPlain(title, 150)}`}  ${timeIn(ms)}` },
        ],
      },
    ],
  }));
  if (more === 0) return lists;
  const rest = { type: 'rich_text_section' as const, elements: [{ type: 'text' as const, text: `and ${more} more` }] };
  return [...lists, { type: 'rich_text_list', style: 'bullet', indent: 0, elements: [rest] }];
}
