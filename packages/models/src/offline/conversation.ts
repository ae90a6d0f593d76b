// A conversation as the demonstration model reads it: the last thing asked, and what was called for it since.

import {
  callsOf,
  defaultTexts,
  type Message,
  type ModelRequest,
  type ToolResultPart,
  type UserMessage,
} from '@ai-agent/core';

export interface Conversation {
  readonly prompt: string;
  /** Names of files that came along; their contents are not read. */
  readonly files: readonly string[];
  /** What other agents said of the same request before. */
  readonly heard: readonly PastCall[];
  /** Calls since the prompt, oldest first. */
  readonly calls: readonly PastCall[];
  /** The number of the reply that is due. */
  readonly turn: number;
  /** Whether a limit ended the work: this is the last turn. */
  readonly isLast: boolean;
}

export interface PastCall {
  readonly name: string;
  readonly input: string;
  readonly text: string;
  readonly isError: boolean;
}

export function readConversation({ messages, tools }: ModelRequest): Conversation {
  const asked = messages.map((message, i) => isAsked(message, messages[i - 1], tools.length > 0));
  const last = asked.lastIndexOf(true);
  let first = last;
  while (first > 0 && asked[first - 1]) first--;
  const said = messages.slice(Math.max(0, first), last + 1).filter((message) => message.role === 'user');
  const { request, heard } = apart(withoutEarlier(said.map(wordsOf).join('\n\n').trim()));
  return {
    prompt: request,
    heard,
    files: said.flatMap(({ content }) =>
      content.flatMap((part) => (part.type === 'file' ? [part.name ?? part.mediaType] : [])),
    ),
    calls: pastCalls(messages.slice(last + 1)),
    turn: messages.filter((message) => message.role === 'assistant').length + 1,
    isLast: messages.slice(last + 1).some((message) => message.role === 'user' && isWrapUp(wordsOf(message))),
  };
}

/** What was said by others before is no part of the request. No message there begins a line as its end does. */
function withoutEarlier(prompt: string): string {
  const isThere = prompt.startsWith(earlier.start);
  const end = isThere ? prompt.indexOf(earlier.end) : -1;
  return end === -1 ? prompt : prompt.slice(end + earlier.end.length).trim();
}

const nothing = { place: '', messages: [], hasOlder: false, isCutShort: false };
const earlier = {
  start: defaultTexts.saidEarlier({ ...nothing, place: '\n' }).split('\n', 1)[0] ?? '',
  end: `\n${defaultTexts.saidEarlier(nothing).split('\n').at(-1)}\n`,
};

const block =
  /<(?:advisory|response)__([0-9a-f]{8}) agent="([^"\n]*)">\n([\s\S]*?)\n<\/(?:advisory|response)__\1>\n\n/y;
const whole = /<original_user_request__([0-9a-f]{8})>\n([\s\S]*)\n<\/original_user_request__\1>$/y;

/** The request, and what stands before it in tags of ours. */
function apart(prompt: string): { readonly request: string; readonly heard: readonly PastCall[] } {
  const heard: PastCall[] = [];
  let end = 0;
  block.lastIndex = 0;
  for (let found = block.exec(prompt); found; found = block.exec(prompt)) {
    const [, , name = '', text = ''] = found;
    heard.push({ name, input: '', text, isError: false });
    end = block.lastIndex;
  }
  whole.lastIndex = end;
  const request = whole.exec(prompt)?.[2];
  if (heard.length === 0 || request === undefined) return { request: prompt, heard: [] };
  // Who was handed a request may have advisors too.
  const within = apart(request);
  return { request: within.request, heard: [...within.heard, ...heard] };
}

/** Said by whoever asks, and not by the loop, which speaks as the user too. */
function isAsked(message: Message, before: Message | undefined, hasTools: boolean): boolean {
  if (message.role !== 'user') return false;
  // Whatever its words: after results and without tools, it is the request to come to an end.
  if (before?.role === 'tool' && !hasTools) return false;
  const text = wordsOf(message);
  return !isWrapUp(text) && !openings.some((opening) => text.startsWith(opening));
}

const firstWords = (text: string) => text.split(/[\n:.]/, 1)[0] ?? '';
const openings = [defaultTexts.repair([]), defaultTexts.convert(undefined), defaultTexts.emptyReply].map(firstWords);

function isWrapUp(text: string): boolean {
  const [start = '', end = ''] = defaultTexts.wrapUp('\n').split('\n');
  return text.startsWith(start) && text.endsWith(end);
}

function wordsOf({ content }: UserMessage): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

function pastCalls(messages: readonly Message[]): readonly PastCall[] {
  return messages.flatMap((message, i) => {
    if (message.role !== 'assistant') return [];
    const after = messages[i + 1];
    const results = after?.role === 'tool' ? after.content : [];
    return callsOf(message).map(({ id, name, input }) => {
      const result = results.find((part) => part.id === id);
      return { name, input, text: withFiles(result), isError: result?.isError ?? false };
    });
  });
}

/** It sees no pictures, and says which there are. */
function withFiles({ text = '', files = [] }: Partial<ToolResultPart> = {}): string {
  return [text, ...files.map(({ name, mediaType }) => `[${name ?? mediaType}]`)].filter(Boolean).join(' ');
}
