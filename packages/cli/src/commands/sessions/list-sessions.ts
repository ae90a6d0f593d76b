// `ai-agent sessions list`: a line for each session that is kept, the newest first.

import {
  isUnderWay,
  oneLine,
  type SessionHead,
  type SessionStore,
  shortCost,
  shortCount,
  withUsage,
} from '@ai-agent/core';
import { flagValue, type Misuse, type Words } from '../../arguments.ts';
import { exitCodes } from '../../exit-codes.ts';
import { systemClock } from '../../platform.ts';
import { drawColumns } from '../../render/columns.ts';
import { inTime } from '../../render/figures.ts';
import { toMinute } from '../../render/moment.ts';
import { cut, widthOf } from '../../render/piece.ts';
import { toJson } from '../../render/to-json.ts';
import { shortId } from '../../short-id.ts';
import type { Terminal } from '../../terminal.ts';
import { type Filters, isEmpty, readFilters, sessionsOf } from './filters.ts';
import { withStore } from './with-store.ts';

export async function run(words: Words, terminal: Terminal): Promise<number | Misuse> {
  const [stray] = words.words;
  if (stray) return { problem: `sessions list takes no "${stray.text}": say --agent, --status and the like.` };
  const now = systemClock.now();
  const filters = readFilters(words, now);
  if ('problem' in filters) return filters;
  const most = readLimit(words);
  if (typeof most !== 'number') return most;
  const isJson = flagValue(words, '--json') !== undefined;
  return withStore(words, terminal, async ({ sessions, place }) => {
    const found = sessions ? await gather(sessions.store, filters, most) : { heads: [], isMore: false };
    const { stdout, stderr } = terminal;
    if (isJson) stdout.write(`${toJson(toDocument(found), stdout)}\n`);
    else if (found.heads.length > 0) stdout.write(toTable(found.heads, now, terminal));
    const none = isEmpty(filters)
      ? `No session is kept in ${place}${sessions ? '' : ' yet'}.\n`
      : `No such session is kept in ${place}.\n`;
    if (found.heads.length === 0) stderr.write(none);
    if (found.isMore) stderr.write(`These are the newest ${most}. --limit shows more, --all shows all.\n`);
    return exitCodes.ok;
  });
}

interface Listed {
  readonly heads: readonly SessionHead[];
  readonly isMore: boolean;
}

async function gather(store: SessionStore, filters: Filters, most: number): Promise<Listed> {
  const heads: SessionHead[] = [];
  for await (const head of sessionsOf(store, filters, most + 1)) {
    if (heads.length === most) return { heads, isMore: true };
    heads.push(await withUsage(store, head));
  }
  return { heads, isMore: false };
}

function readLimit(words: Words): number | Misuse {
  if (flagValue(words, '--all') !== undefined) return Number.MAX_SAFE_INTEGER - 1;
  const said = flagValue(words, '--limit') ?? '20';
  const limit = Number(said);
  if (/^\d+$/.test(said.trim()) && limit >= 1 && Number.isSafeInteger(limit)) return limit;
  return { problem: `--limit must be a whole number of 1 or more; "${said}" is none.` };
}

function toDocument({ heads, isMore }: Listed): object {
  return { sessions: heads.map((head) => ({ ...head, rounds: head.resumptions + 1 })), isMore };
}

const titles = ['ID', 'BEGUN', 'AGENT', 'STATUS', 'ROUNDS', 'TIME', 'TOKENS', 'COST', 'TITLE'];

function toTable(heads: readonly SessionHead[], now: number, { stdout }: Terminal): string {
  const rows = [titles, ...heads.map((head) => toRow(head, now))];
  if (!stdout.isTTY) return drawColumns(rows, { width: undefined });
  const width = stdout.columns || 80;
  const shown = columnsFor(rows, width);
  // Nobody can use half of an id, of a time or of a status.
  const whole = ['ID', 'BEGUN', 'STATUS'].map((title) => shown.indexOf(titles.indexOf(title)));
  return drawColumns(
    rows.map((row) => shown.map((i) => row[i] ?? '')),
    { width, whole },
  );
}

/** What gives way in a narrow window, the first one first: show has all of it. */
const lesser = ['ROUNDS', 'TOKENS', 'COST', 'TIME'].map((title) => titles.indexOf(title));
const enoughForTitle = 20;
const enoughForAgent = 16;

function columnsFor(rows: readonly (readonly string[])[], width: number): readonly number[] {
  const agent = titles.indexOf('AGENT');
  const title = titles.length - 1;
  const widthOfColumn = (i: number) => {
    const natural = Math.max(...rows.map((row) => widthOf(oneLine(row[i] ?? ''))));
    return i === title ? enoughForTitle : i === agent ? Math.min(natural, enoughForAgent) : natural;
  };
  let shown = titles.map((_, i) => i);
  for (const i of lesser) {
    if (shown.reduce((sum, one) => sum + widthOfColumn(one) + 2, 0) <= width) break;
    shown = shown.filter((one) => one !== i);
  }
  return shown;
}

const longestTitle = 80;

function toRow(head: SessionHead, now: number): readonly string[] {
  const { id, createdAt, agent, status, incompleteCount, resumptions, usage, title = '' } = head;
  // Of one that is interrupted nobody knows when.
  const endedAt = head.endedAt ?? (isUnderWay(head) ? now : undefined);
  const more = usage && usage.unknownUsageCalls > 0 ? '+?' : '';
  return [
    shortId(id),
    toMinute(createdAt),
    agent,
    incompleteCount === undefined ? status : `${status}, incomplete`,
    String(resumptions + 1),
    endedAt === undefined ? '-' : inTime(endedAt - createdAt),
    usage ? `${shortCount(usage.inputTokens + usage.outputTokens)}${more}` : '-',
    usage ? shortCost(usage, 'unknown') : '-',
    title === '' ? '-' : cut(oneLine(title), longestTitle),
  ];
}
