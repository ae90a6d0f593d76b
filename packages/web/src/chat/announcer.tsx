// Says to who cannot see it when an answer begins and how it ended. Words that are being written are not read out.

import { useEffect, useRef, useState } from 'react';
import { isAtWork, type Standing } from '../server/documents.ts';
import type { Picture } from '../session/session-view.ts';
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
    const ending = rounds.at(-1)?.ending;
    const isStopped = ending !== undefined && 'failure' in ending && isOfServer(ending.failure);
    if (!isBusy && wasBusy) setSaid(wordsFor(standing, isStopped));
  }, [standing, rounds]);
  return (
    <p className="unseen" role="status">
      {said}
    </p>
  );
}

function wordsFor({ agent, status, question, failure }: Standing, isStopped: boolean): string {
  if (question) return `${question.agentName} asks: ${question.text}`;
  if (status === 'failed') return `${agent} failed. ${failure?.message ?? ''}`;
  if (status === 'completed') return `${agent} has answered.`;
  if (status === 'interrupted' || isStopped) return `${agent} was interrupted: the server stopped.`;
  return `${agent} has ended: ${status}.`;
}
