// Thoughts that a model, or the template of its server, wrote into the text between tags.

/** Those that models write by themselves; `<reasoning>` and the like they write when a prompt asks for it. */
const tags: readonly (readonly [open: string, close: string])[] = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['<seed:think>', '</seed:think>'],
  ['[THINK]', '[/THINK]'],
  ['◁think▷', '◁/think▷'],
];

/** Blanks before the first word are looked through up to here. */
export const maxBlank = 1000;

export interface Thought {
  readonly text: string;
  /** Where the answer begins, after the blanks that follow the tag. */
  readonly end: number;
}

/** The thought a text begins with, if it does. `isWhole`: the model had nothing more to say. */
export function thoughtIn(text: string, isWhole: boolean): Thought | undefined {
  return mayThink(text) ? findThought(text, isWhole) : undefined;
}

function findThought(text: string, isWhole: boolean): Thought | undefined {
  const start = beginningOf(text);
  const opening = thoughtOpening(text.slice(start, start + maxTag));
  if (opening === 'maybe') return undefined;
  if (opening === 'no') return loneClosing(text);
  const from = start + opening.open.length;
  if (opening.isClosed) return { text: '', end: skipBlank(text, from) };
  const closing = text.indexOf(opening.close, from);
  if (closing !== -1)
    return { text: text.slice(from, closing).trimStart(), end: skipBlank(text, closing + opening.close.length) };
  const isOne = !isWhole || opensThought(text.slice(from, from + maxBlank), opening) === 'yes';
  return isOne ? { text: text.slice(from).trimStart(), end: text.length } : undefined;
}

/** Nearly every text shows at a glance that it does not. */
function mayThink(text: string): boolean {
  return text.includes('think') || text.includes('thought>') || text.includes('THINK]');
}

export interface Opening {
  readonly open: string;
  readonly close: string;
  /** The closing tag is the first thing: there was no thought, or somebody took it out and left the tag. */
  readonly isClosed: boolean;
}

const maxTag = 16;

/**
 * Whether a thought has begun for certain, by what follows its tag: templates break the line there. Otherwise its end will
 * tell, since a text may be about the tag. Those that are tokens nobody writes about.
 */
export function opensThought(after: string, { open }: Opening): 'yes' | 'no' | 'maybe' {
  if (!/^<th/.test(open)) return 'yes';
  const blank = /^[ \t\r]*/.exec(after)?.[0].length ?? 0;
  if (after[blank] === '\n') return 'yes';
  return blank === after.length && blank < maxBlank ? 'maybe' : 'no';
}

/** How a text begins; 'maybe' when it is too short to be sure. */
export function thoughtOpening(text: string): Opening | 'no' | 'maybe' {
  if (text === '') return 'maybe';
  let answer: 'no' | 'maybe' = 'no';
  for (const [open, close] of tags) {
    if (text.startsWith(open)) return { open, close, isClosed: false };
    if (text.startsWith(close)) return { open: close, close, isClosed: true };
    if (open.startsWith(text) || close.startsWith(text)) answer = 'maybe';
  }
  return answer;
}

/** Templates that open the thought in the prompt leave only its end in the reply, on a line of its own. */
function loneClosing(text: string): Thought | undefined {
  const found = /<\/think>|<\/seed:think>|\[\/THINK\]|◁\/think▷/.exec(text);
  if (!found) return undefined;
  const [tag] = found;
  const before = text.slice(0, found.index);
  const lineStart = before.lastIndexOf('\n') + 1;
  const after = found.index + tag.length;
  const lineEnd = text.indexOf('\n', after);
  const around = text.slice(lineStart, found.index) + text.slice(after, lineEnd === -1 ? text.length : lineEnd);
  const isAlone = around.trim() === '' && !before.includes(tag.replace('/', ''));
  if (!isAlone || isInFence(before)) return undefined;
  return { text: before.trimStart(), end: skipBlank(text, after) };
}

function isInFence(before: string): boolean {
  return (before.match(/^[ \t]{0,8}(?:```|~~~)/gm)?.length ?? 0) % 2 === 1;
}

function beginningOf(text: string): number {
  const start = skipBlank(text, 0);
  return start > maxBlank ? 0 : start;
}

export function skipBlank(text: string, from: number): number {
  const pattern = /\S/g;
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

/** How much at the end of a text may be the beginning of a word. */
export function startedLength(text: string, word: string): number {
  for (let length = Math.min(word.length - 1, text.length); length > 0; length--)
    if (text.endsWith(word.slice(0, length))) return length;
  return 0;
}
