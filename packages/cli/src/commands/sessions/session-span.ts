// When a session began, and when it ended or since when it waits.

import type { SessionHead } from '@ai-agent/core';
import { inTime } from '../../render/figures.ts';
import { toSecond } from '../../render/moment.ts';

export function toSpan({ status, createdAt, endedAt }: SessionHead): string {
  const begun = toSecond(createdAt);
  if (endedAt === undefined) return begun;
  const isWaiting = status === 'needs_user_input' || status === 'needs_client_tools';
  if (isWaiting) return `${begun}, waits since ${toSecond(endedAt)}`;
  return `${begun}, ended ${toSecond(endedAt)} (${inTime(endedAt - createdAt)})`;
}
