// The line above a round: its number, and what was said to it.

import { oneLine } from '@ai-agent/core';
import type { Round } from './kept-session.ts';

const longest = 200;

export function toHeading({ number, asked: { said, question } }: Round): string {
  const text = oneLine(said).slice(0, longest);
  if (question) return `Round ${number}: ${text} (the answer to: ${oneLine(question.text).slice(0, longest)})`;
  return text === '' ? `Round ${number}` : `Round ${number}: ${text}`;
}
