// What was said in a session, as a page of Markdown.

import { callsOf, type Message, moneyOf, oneLine, textOf } from '@ai-agent/core';
import { toSecond } from '../../render/moment.ts';
import { cut } from '../../render/piece.ts';
import type { KeptSession } from './kept-session.ts';
import { type Said, saidIn } from './said-in.ts';

const longestTitle = 80;

export function toMarkdown({ head, facts: told, ledger }: KeptSession): string {
  const { id, agent, status, createdAt, endedAt, title = '' } = head;
  const { total } = ledger;
  const facts = [
    `- Agent: ${oneLine(agent)}`,
    `- Session: \`${id}\``,
    `- Status: ${status}`,
    `- Begun: ${toSecond(createdAt)}${endedAt === undefined ? '' : `, ended ${toSecond(endedAt)}`}`,
    `- Used: ${total.inputTokens} in + ${total.outputTokens} out tokens, ${moneyOf(total)}`,
  ];
  const said = saidIn(told)
    .map(toPart)
    .filter((part) => part !== '');
  const draft = head.draft === undefined || head.draft === '' ? [] : [`## Assistant\n\n${head.draft}`];
  const question = head.question ? [`## It asks\n\n${head.question.text}`] : [];
  const heading = `# ${cut(oneLine(title) || oneLine(agent), longestTitle)}`;
  return `${[heading, facts.join('\n'), ...said, ...draft, ...question].join('\n\n')}\n`;
}

function toPart(said: Said): string {
  if (said.who === 'asks') return `## It asks\n\n${said.question.text}`;
  if (said.who === 'answers') return `## User\n\n${said.text}`;
  if (said.who === 'tool') return `### Result of ${oneLine(said.name)}\n\n${fenced(said.text)}`;
  return toMessage(said.message, said.who === 'house' ? 'Note to the model' : 'User');
}

function toMessage(message: Message, who: string): string {
  if (message.role === 'user')
    return `## ${who}\n\n${message.content.map((part) => (part.type === 'text' ? part.text : `[${part.mediaType}]`)).join('\n\n')}`;
  if (message.role !== 'assistant') return '';
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
