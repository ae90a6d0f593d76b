// Says to who cannot see it when an answer begins and how it ended. Words that are being written are not read out.

import { incompleteIn } from '@ai-agent/core';
import { useEffect, useRef, useState } from 'react';
import { countWords } from '../app/incomplete-note.tsx';
import { isAtWork, type Standing } from '../server/documents.ts';
import type { Round } from '../session/round.ts';
import type { Picture } from '../session/session-view.ts';
import { askerOf } from './asker.ts';
import { isOfServer } from './ending-note.tsx';

export function Announcer({ picture: { standing, rounds } }: { readonly picture: Picture }) {
  const [said, setSaid] = useState('');
  const before = useRef<boolean>(undefined);
  useEffect(() => {
    if (!standing) return;
    const isBusy = isAtWork(standing);
    const wasBusy = before.current;
    before.current = isBusy;
    if (isBusy && !wasBusy) setSaid(`${standing.agent} is at work.`);
    if (!isBusy && wasBusy) setSaid(wordsFor(standing, rounds));
  }, [standing, rounds]);
  return (
    <p className="unseen" role="status">
      {said}
    </p>
  );
}

function wordsFor({ agent, status, question, failure }: Standing, rounds: readonly Round[]): string {
  if (question) return `${askerOf(question, rounds).name} asks: ${question.text}`;
  if (status === 'failed') return `${agent} failed. ${failure?.message ?? ''}`;
  if (status === 'completed') return `${agent} has answered.${incompleteWords(rounds.at(-1))}`;
  if (status === 'interrupted' || isStoppedIn(rounds.at(-1))) return `${agent} was interrupted: the server stopped.`;
  return `${agent} has ended: ${status}.`;
}

function incompleteWords(round: Round | undefined): string {
  const { length } = incompleteIn(round?.tree.tree());
  return length === 0 ? '' : ` The answer is incomplete: ${countWords(length)} missing.`;
}

function isStoppedIn(round: Round | undefined): boolean {
  const { ending } = round ?? {};
  return ending !== undefined && 'failure' in ending && isOfServer(ending.failure);
}
