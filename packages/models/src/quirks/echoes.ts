// Calls that stand in what a model was told: one that it repeats is no call of its own.

import type { Message, ModelRequest, ToolSpec } from '@ai-agent/core';

/** What a request shows of calls. */
export interface ShownCalls {
  /** The conversation shows some, or has files, which may show anything. */
  readonly inConversation: boolean;
  /** The instructions, without blanks, if they show any. */
  readonly instructions: string;
}

export function shownCalls({ system, messages, tools }: ModelRequest): ShownCalls {
  const names = new Set(tools.map(({ name }) => lastName(name)));
  const inConversation = messages.some((message) => message.role !== 'system' && mayShow(message, names));
  const systems = messages.flatMap((message) => (message.role === 'system' ? message.text : []));
  const told = [system, ...systems, ...tools.map(({ description }) => description)].filter((text) =>
    shows(text, names),
  );
  return { inConversation, instructions: squeezed(told.join('\n')) };
}

/** Whether a call, as it was written, stands in the instructions: with its tags, or as the JSON between them. */
export function isShown(written: string, { name }: Pick<ToolSpec, 'name'>, instructions: string): boolean {
  if (instructions === '') return false;
  const call = squeezed(written);
  const inner = call.slice(Math.max(0, call.indexOf('{')), call.lastIndexOf('}') + 1);
  return instructions.includes(call) || (inner.includes(`"${name}"`) && instructions.includes(inner));
}

function mayShow(message: Exclude<Message, { role: 'system' }>, names: ReadonlySet<string>): boolean {
  return message.content.some(
    (part) =>
      part.type === 'file' || ((part.type === 'text' || part.type === 'tool-result') && shows(part.text, names)),
  );
}

const open = '(?:<|&lt;|&#0{0,3}60;|\\\\u003[cC])';
const quote = '(?:\\\\{0,4}["\']|&quot;|&#0{0,3}3[49];)';

/** Tags and tokens that only calls have, also where they are escaped. */
const marks = new RegExp(
  `\\[TOOL_CALLS\\]|${open}(?:\\|(?:tool_call|python_tag)|｜(?:tool▁call|DSML)|(?:[A-Za-z][\\w-]{0,30}:)?(?:tool_calls?|tools|function_calls?|function|invoke)(?![\\w-]))`,
);
/** Names where calls have theirs. */
const named = new RegExp(
  `${open}([A-Za-z_][\\w.-]{0,63})(?:>|&gt;|&#0{0,3}62;|\\\\u003[eE])|${quote}(?:name|function)${quote}\\s{0,20}:\\s{0,20}${quote}([^"'\\\\\\n&]{1,128})`,
  'g',
);

function shows(text: string, names: ReadonlySet<string>): boolean {
  if (marks.test(text)) return true;
  for (const [, tag, value] of text.matchAll(named)) if (names.has(lastName(tag ?? value ?? ''))) return true;
  return false;
}

/** What is left of a name without prefixes, which come and go. */
function lastName(name: string): string {
  const safe = name
    .trim()
    .replace(/^functions?[.:]/, '')
    .replace(/[^\w-]/g, '_');
  return safe.slice(safe.lastIndexOf('__') + 1).replace(/^_/, '');
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, '');
}
