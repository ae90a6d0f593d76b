// Calls that stand in what a model was told: one that it repeats is no call of its own.

import type { Message, ModelRequest, ToolCallPart } from '@ai-agent/core';

type Call = Pick<ToolCallPart, 'name' | 'input'>;

/** What a request shows of calls. */
export interface ShownCalls {
  /** The conversation shows some, or has files, which may show anything. */
  readonly inConversation: boolean;
  /** The instructions, without blanks, if they show any. */
  readonly instructions: string;
}

export function shownCalls({ system, messages, tools }: ModelRequest): ShownCalls {
  // Made when a text is suspicious: few are.
  let known: ReadonlySet<string> | undefined;
  const names = () => {
    known ??= new Set(tools.map(({ name }) => lastName(name)));
    return known;
  };
  const inConversation = messages.some((message) => message.role !== 'system' && mayShow(message, names));
  const systems = messages.flatMap((message) => (message.role === 'system' ? message.text : []));
  const told = [system, ...systems, ...tools.map(({ description }) => description)].filter((text) =>
    shows(text, names),
  );
  return { inConversation, instructions: squeezed(told.join('\n')) };
}

/** Whether any of the calls stands in the instructions: as all of them were written, or as JSON. */
export function isShown(written: string, calls: readonly Call[], instructions: string): boolean {
  if (instructions === '') return false;
  const whole = squeezed(written);
  const inner = whole.slice(Math.max(0, whole.indexOf('{')), whole.lastIndexOf('}') + 1);
  const forms = new Set(calls.map(({ name, input }) => squeezed(`{"name":"${name}","arguments":${input}}`)));
  // Arguments alone, as in `{}`, say nothing.
  if (calls.some(({ name }) => inner.includes(`"${name}"`))) forms.add(inner);
  return [whole, ...forms].some((form) => instructions.includes(form));
}

function mayShow(message: Exclude<Message, { role: 'system' }>, names: () => ReadonlySet<string>): boolean {
  const isPlain = plain.get(message) ?? message.content.every(isPlainPart);
  plain.set(message, isPlain);
  if (isPlain) return false;
  return message.content.some(
    (part) =>
      part.type === 'file' || ((part.type === 'text' || part.type === 'tool-result') && shows(part.text, names)),
  );
}

// A message is in every request after it: whether there is anything to look for in it is found out once.
const plain = new WeakMap<Message, boolean>();

type Part = Exclude<Message, { role: 'system' }>['content'][number];

/** Calls of its own and thoughts are nothing that it would repeat. */
function isPlainPart(part: Part): boolean {
  if (part.type === 'file') return false;
  return part.type === 'tool-call' || part.type === 'reasoning' || !isSuspicious(part.text);
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

/** Without any of these, neither of the two is found. */
const hints = ['<', '&lt;', '&#', '\\u003', '[TOOL_CALLS]', 'name', 'function'];

function isSuspicious(text: string): boolean {
  return hints.some((hint) => text.includes(hint));
}

function shows(text: string, names: () => ReadonlySet<string>): boolean {
  if (!isSuspicious(text)) return false;
  if (marks.test(text)) return true;
  for (const [, tag, value] of text.matchAll(named)) if (names().has(lastName(tag ?? value ?? ''))) return true;
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
