// Calls between tokens that a model uses for nothing else, and that its server should have understood.

import { type CallText, type LeakedCall, withInput } from './call-text.ts';
import { readJsonCalls } from './json-calls.ts';

type Calls = readonly LeakedCall[] | undefined;

/** What stands at the place of `source`; undefined also when no such token is there. */
export function readTokenCalls(source: CallText): Calls {
  if (source.eat('[TOOL_CALLS]')) return readBracketed(source);
  if (source.match(/<\|(?:tool_calls?|python_tag)\|>/y)) return readPiped(source);
  if (source.match(sectionBegin)) return readSection(source, true);
  return callBegin.test(source.text.slice(source.at, source.at + 32)) ? readSection(source, false) : undefined;
}

const sectionBegin = /<\|tool_calls_section_begin\|>|<｜tool▁calls▁begin｜>/y;
const sectionEnd = /\s*(?:<\|tool_calls_section_end\|>|<｜tool▁calls▁end｜>)/y;
const callBegin = /^\s*(?:<\|tool_call_begin\|>|<｜tool▁call▁begin｜>)/;
const nextCall = /\s*(?:<\|tool_call_begin\|>|<｜tool▁call▁begin｜>)/y;

/** `[{…}]`, or `name{…}` and `name[ARGS]{…}`, each after the token or in a row. */
function readBracketed(source: CallText): Calls {
  source.skipBlank();
  const closing = '\\[TOOL_CALLS\\]|</s>';
  const calls: LeakedCall[] = [];
  do {
    const read = '[{'.includes(source.next) ? readJsonCalls(source, closing) : readNameAndInput(source);
    if (!read) return undefined;
    calls.push(...read);
    source.skipBlank();
  } while (source.eat('[TOOL_CALLS]') || /[A-Za-z_]/.test(source.next));
  return calls;
}

function readNameAndInput(source: CallText): Calls {
  const found = source.match(/\s*([\w.-]{1,128})(?:\[CALL_ID\]\w{1,64})?(?:\[ARGS\])?\s*(?=\{)/y);
  const tool = source.toolNamed(found?.[1] ?? '');
  const text = tool && source.jsonText();
  const call = tool && text !== undefined ? withInput(tool, source.objectIn(text), source) : undefined;
  return call && [call];
}

function readPiped(source: CallText): Calls {
  const calls = readJsonCalls(source, '<\\|/?\\w+\\|>');
  source.match(/\s*<\|(?:\/tool_calls?|tool_calls?_end|end_tool_call)\|>/y);
  return calls;
}

function readSection(source: CallText, isOpen: boolean): Calls {
  const calls: LeakedCall[] = [];
  while (source.match(nextCall)) {
    const call = readSectionCall(source);
    if (!call) return undefined;
    calls.push(call);
  }
  if (isOpen) source.match(sectionEnd);
  return calls.length > 0 ? calls : undefined;
}

/** `functions.name:0` and its arguments; `name` and its arguments; or `function`, the name, and a fence. */
function readSectionCall(source: CallText): LeakedCall | undefined {
  const name = source.upTo(/<\|tool_call_argument_begin\|>|<｜tool▁sep｜>/g);
  if (name === undefined || name.length > 200) return undefined;
  const isTyped = name.trim() === 'function' && !/^\s*\{/.test(source.text.slice(source.at, source.at + 200));
  const called = isTyped ? source.upTo(/\n/g) : name;
  const tool = called === undefined ? undefined : source.toolNamed(called.trim().replace(/:\d+$/, ''));
  if (!tool) return undefined;
  source.skipBlank();
  const start = source.at;
  const text = source.jsonText();
  const isClosed = text !== undefined && source.match(callEnd) !== undefined;
  if (isClosed) return withInput(tool, source.objectIn(text), source);
  source.at = start;
  const given = source.upTo(/<\|tool_call_end\|>|<｜tool▁call▁end｜>/g);
  return given === undefined ? undefined : withInput(tool, source.objectIn(given), source);
}

const callEnd = /\s*(?:<\|tool_call_end\|>|<｜tool▁call▁end｜>)/y;
