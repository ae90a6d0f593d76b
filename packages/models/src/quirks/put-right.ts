// What a model got wrong in the form of its reply, put right: thoughts and calls in the text, damaged arguments.

import type { AssistantMessage, ModelReply } from '@ai-agent/core';
import { findLeaks, type Search } from './leaked-calls.ts';
import { findOffered, type Offer } from './offer.ts';
import { loadRepair, mendInput, type Repair } from './repair-input.ts';
import { thoughtIn } from './thoughts.ts';

type Part = AssistantMessage['content'][number];

export interface PutRight {
  readonly reply: ModelReply;
  /** How many characters at the beginning of the text were no text. */
  readonly cut: number;
  /** What was thought in them. */
  readonly thought: string;
}

/** Waits only when something has to be repaired. Never rejects: a reply that cannot be put right is left as it is. */
export function putRight(reply: ModelReply, offer: Offer): PutRight | Promise<PutRight> {
  try {
    const first = attempt(reply, offer, undefined);
    if (!first.wantsRepair) return first;
    return loadRepair().then(
      (repair) => orAsItWas(reply, () => attempt(reply, offer, repair)),
      () => first,
    );
  } catch {
    return { reply, cut: 0, thought: '' };
  }
}

function orAsItWas(reply: ModelReply, work: () => PutRight): PutRight {
  try {
    return work();
  } catch {
    return { reply, cut: 0, thought: '' };
  }
}

interface Attempt extends PutRight {
  readonly wantsRepair: boolean;
}

function attempt(reply: ModelReply, offer: Offer, repair: Repair | undefined): Attempt {
  const { content } = reply.message;
  const { finishReason: reason } = reply;
  const { cut, thought, ...said } = offer.leaksThoughts ? withoutThought(content, reason === 'stop') : asItIs(content);
  // A reply that was cut says half of what it meant, and nothing of that is done.
  const isWhole = reason !== 'length' && reason !== 'content-filter';
  const search = { offer, repair, isCallSaid: reason === 'tool-calls' };
  const mended = isWhole && offer.tools.length > 0 ? mendCalls(said.content, search) : undefined;
  const after = mended?.content ?? said.content;
  const wantsRepair = mended?.wantsRepair ?? false;
  if (after === content) return { reply, cut, thought, wantsRepair };
  const finishReason = mended?.isLeak ? 'tool-calls' : reason;
  const right = { ...reply, message: { ...reply.message, content: after }, finishReason };
  return { reply: right, cut, thought, wantsRepair };
}

interface Said extends Pick<PutRight, 'cut' | 'thought'> {
  readonly content: readonly Part[];
}

function asItIs(content: readonly Part[]): Said {
  return { content, cut: 0, thought: '' };
}

/** Bound to nobody, the thought goes back to nobody: where it came from, it would be refused or taken for words. */
function withoutThought(content: readonly Part[], isWhole: boolean): Said {
  const index = content.findIndex(({ type }) => type !== 'reasoning');
  const part = content[index];
  const thought = part?.type === 'text' ? thoughtIn(part.text, isWhole) : undefined;
  if (!thought || part?.type !== 'text') return asItIs(content);
  const parts: Part[] = thought.text.trim() === '' ? [] : [{ type: 'reasoning', text: thought.text, bound: {} }];
  const text = part.text.slice(thought.end);
  if (text !== '') parts.push({ type: 'text', text });
  return { content: content.toSpliced(index, 1, ...parts), cut: thought.end, thought: thought.text };
}

interface Mended {
  readonly content: readonly Part[];
  readonly isLeak: boolean;
  readonly wantsRepair: boolean;
}

function mendCalls(content: readonly Part[], search: Search): Mended {
  return content.some(({ type }) => type === 'tool-call') ? mendInputs(content, search) : withLeaks(content, search);
}

function mendInputs(content: readonly Part[], { offer, repair }: Search): Mended {
  let wantsRepair = false;
  let isMended = false;
  const mended = content.map((part) => {
    const tool = part.type === 'tool-call' ? findOffered(part.name, offer.tools) : undefined;
    if (!tool || part.type !== 'tool-call') return part;
    const input = mendInput(part.input, tool, repair);
    wantsRepair ||= input === undefined;
    if (input === undefined || input === part.input) return part;
    isMended = true;
    return { ...part, input };
  });
  return { content: isMended ? mended : content, isLeak: false, wantsRepair };
}

/** All blocks are one text: what one of them opens, such as a quotation, may go on in the next. */
function withLeaks(content: readonly Part[], search: Search): Mended {
  if (!search.offer.leaksCalls) return { content, isLeak: false, wantsRepair: false };
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const { at, calls, wantsRepair } = findLeaks(text, search);
  if (calls.length === 0) return { content, isLeak: false, wantsRepair };
  let left = at;
  const rest = content.flatMap((part): readonly Part[] => {
    if (part.type !== 'text') return [part];
    const kept = part.text.slice(0, left);
    left -= kept.length;
    return kept === part.text ? [part] : kept === '' ? [] : [{ ...part, text: kept }];
  });
  const made = calls.map((call, i): Part => ({ type: 'tool-call', id: `call_${search.offer.turn}_${i + 1}`, ...call }));
  return { content: [...rest, ...made], isLeak: true, wantsRepair };
}
