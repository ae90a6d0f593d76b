// Says to who cannot see it when an answer begins and how it ended. Words that are being written are not read out.

import { useEffect, useRef, useState } from 'react';
import { isAtWork, type Standing } from '../server/documents.ts';

export function Announcer({ standing }: { readonly standing: Standing | undefined }) {
  const [said, setSaid] = useState('');
  const before = useRef<boolean>(undefined);
  useEffect(() => {
    if (!standing) return;
    const isBusy = isAtWork(standing);
    const wasBusy = before.current;
    before.current = isBusy;
    if (isBusy && !wasBusy) setSaid(`${standing.agent} is at work.`);
    if (!isBusy && wasBusy) setSaid(wordsFor(standing));
  }, [standing]);
  return (
    <p className="unseen" role="status">
      {said}
    </p>
  );
}

function wordsFor({ agent, status, question, failure }: Standing): string {
  if (question) return `${question.agentName} asks: ${question.text}`;
  if (status === 'failed') return `${agent} failed. ${failure?.message ?? ''}`;
  if (status === 'completed') return `${agent} has answered.`;
  return `${agent} has ended: ${status}.`;
}
