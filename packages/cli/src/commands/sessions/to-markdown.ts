// What was said in a session, as a page of Markdown.

import { callsOf, type Message, moneyOf, oneLine, textOf } from '@ai-agent/core';
import { toSecond } from '../../render/moment.ts';
import type { KeptSession } from './kept-session.ts';

export function toMarkdown({ head, rounds, ledger }: KeptSession): string {
  const { id, agent, status, createdAt, endedAt, title = '' } = head;
  const { total } = ledger;
  const facts = [
    `- Agent: ${oneLine(agent)}`,
    `- Session: \`${id}\``,
    `- Status: ${status}`,
    `- Begun: ${toSecond(createdAt)}${endedAt === undefined ? '' : `, ended ${toSecond(endedAt)}`}`,
    `- Used: ${total.inputTokens} in + ${total.outputTokens} out tokens, ${moneyOf(total)}`,
  ];
  // What was said before stands in each round again.
  const said = (rounds.at(-1)?.messages ?? []).map(toPart).filter((part) => part !== '');
  const draft = head.draft === undefined || head.draft === '' ? [] : [`## Assistant\n\n${head.draft}`];
  const question = head.question ? [`## It asks\n\n${head.question.text}`] : [];
  return `${[`# ${oneLine(title) || oneLine(agent)}`, facts.join('\n'), ...said, ...draft, ...question].join('\n\n')}\n`;
}

function toPart(message: Message): string {
  if (message.role === 'system') return '';
  if (message.role === 'user')
    return `## User\n\n${message.content.map((part) => (part.type === 'text' ? part.text : `[${part.mediaType}]`)).join('\n\n')}`;
  if (message.role === 'tool')
    return message.content.map(({ name, text }) => `### Result of ${oneLine(name)}\n\n${fenced(text)}`).join('\n\n');
  const calls = callsOf(message).map(({ name, input }) => `### Call of ${oneLine(name)}\n\n${fenced(input)}`);
  const text = textOf(message).trim();
  return [...(text === '' ? [] : [`## Assistant\n\n${text}`]), ...calls].join('\n\n');
}

/** Longer than any fence inside. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
