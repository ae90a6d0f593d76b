// What was said in a session, as a page of Markdown: for `sessions export`, and for `/save` of a talk.

import { callsOf, type Message, moneyOf, oneLine, type Question, textOf, tokenWords } from '@ai-agent/core';
import { cut } from '../../render/piece.ts';
import { toPrintable } from '../../render/printable.ts';
import { toLines } from '../run/question-form.ts';
import type { KeptSession } from './kept-session.ts';
import { type Said, saidIn } from './said-in.ts';
import { toSpan } from './session-span.ts';

const longestTitle = 80;

export function toMarkdown({ head, facts: told, ledger }: Pick<KeptSession, 'head' | 'facts' | 'ledger'>): string {
  const { id, agent, status, incompleteCount, title = '' } = head;
  const { total } = ledger;
  const facts = [
    `- Agent: ${oneLine(agent)}`,
    `- Session: \`${id}\``,
    `- Status: ${status}${incompleteCount === undefined ? '' : ', incomplete'}`,
    `- Begun: ${toSpan(head)}`,
    `- Used: ${tokenWords(total)}, ${moneyOf(total)}`,
  ];
  const said = saidIn(told, head)
    .map((one) => toPart(one, oneLine(agent)))
    .filter((part) => part !== '');
  const heading = `# ${cut(oneLine(title) || oneLine(agent), longestTitle)}`;
  return toPrintable(`${[heading, facts.join('\n'), ...said].join('\n\n')}\n`);
}

function toPart(said: Said, agent: string): string {
  switch (said.who) {
    case 'asks':
      return `## ${oneLine(said.question.agentName)} asks\n\n${toQuestion(said.question)}`;
    case 'asks-agent':
      return `### ${oneLine(said.question.agentName)} asks ${agent}\n\n${toQuestion(said.question)}`;
    case 'answers':
      return `## You\n\n${said.text}`;
    case 'tool':
      return `### Result of ${oneLine(said.name)}\n\n${fenced(said.text)}`;
    case 'report':
      return `## ${agent}\n\n${fenced(JSON.stringify(said.report, null, 2), 'json')}`;
    case 'end':
      return `*(${oneLine(said.text)})*`;
    case 'assistant':
      return toMessage(said.message, agent);
    default:
      return toMessage(said.message, said.who === 'house' ? 'Note to the model' : 'You');
  }
}

/** With what it may be answered, and of leave what it is for. */
function toQuestion(question: Question): string {
  const [first = '', ...more] = toLines(question);
  if (more.length === 0) return first;
  if (question.type === 'approval') return `${first}\n\n${fenced(more.map((line) => line.trim()).join('\n'))}`;
  return `${first}\n\n${more.map((line) => line.trim()).join('\n')}`;
}

function toMessage(message: Message, who: string): string {
  if (message.role === 'user')
    return `## ${who}\n\n${message.content.map((part) => (part.type === 'text' ? part.text : `[${part.mediaType}]`)).join('\n\n')}`;
  if (message.role !== 'assistant') return '';
  const calls = callsOf(message).map(({ name, input }) => `### Call of ${oneLine(name)}\n\n${fenced(input)}`);
  const text = textOf(message).trim();
  return [...(text === '' ? [] : [`## ${who}\n\n${text}`]), ...calls].join('\n\n');
}

/** Longer than any fence inside. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
