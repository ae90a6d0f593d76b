// What a model got wrong in the form of its reply, put right: thoughts and calls in the text, damaged arguments.

import type { AssistantMessage, ModelReply, TextPart } from '@ai-agent/core';
import { findLeaks } from './leaked-calls.ts';
import { findOffered, type Offer } from './offer.ts';
import { loadRepair, mendInput, type Repair } from './repair-input.ts';
import { thoughtIn } from './thoughts.ts';

type Part = AssistantMessage['content'][number];

export interface PutRight {
  readonly reply: ModelReply;
  /** How many characters at the beginning of the text were no text. */
  readonly cut: number;
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
    return { reply, cut: 0 };
  }
}

function orAsItWas(reply: ModelReply, work: () => PutRight): PutRight {
  try {
    return work();
  } catch {
    return { reply, cut: 0 };
  }
}

interface Attempt extends PutRight {
  readonly wantsRepair: boolean;
}

function attempt(reply: ModelReply, offer: Offer, repair: Repair | undefined): Attempt {
  const { content } = reply.message;
  const thought = withoutThought(content);
  // A reply that was cut says half of what it meant, and nothing of that is done.
  const isWhole = reply.finishReason !== 'length' && reply.finishReason !== 'content-filter';
  const mended = isWhole && offer.tools.length > 0 ? mendCalls(thought.content, offer, repair) : undefined;
  const after = mended?.content ?? thought.content;
  const { cut } = thought;
  if (after === content) return { reply, cut, wantsRepair: mended?.wantsRepair ?? false };
  const finishReason = mended?.isLeak ? 'tool-calls' : reply.finishReason;
  return {
    reply: { ...reply, message: { ...reply.message, content: after }, finishReason },
    cut,
    wantsRepair: mended?.wantsRepair ?? false,
  };
}

/** Bound to nobody, the thought goes back to nobody: where it came from, it would be refused or taken for words. */
function withoutThought(content: readonly Part[]): { readonly content: readonly Part[]; readonly cut: number } {
  const index = content.findIndex(({ type }) => type !== 'reasoning');
  const part = content[index];
  const thought = part?.type === 'text' ? thoughtIn(part.text) : undefined;
  if (!thought || part?.type !== 'text') return { content, cut: 0 };
  const parts: Part[] = thought.text.trim() === '' ? [] : [{ type: 'reasoning', text: thought.text, bound: {} }];
  const text = part.text.slice(thought.end);
  if (text !== '') parts.push({ type: 'text', text });
  return { content: content.toSpliced(index, 1, ...parts), cut: thought.end };
}

interface Mended {
  readonly content: readonly Part[];
  readonly isLeak: boolean;
  readonly wantsRepair: boolean;
}

function mendCalls(content: readonly Part[], offer: Offer, repair: Repair | undefined): Mended {
  return content.some(({ type }) => type === 'tool-call')
    ? mendInputs(content, offer, repair)
    : withLeaks(content, offer, repair);
}

function mendInputs(content: readonly Part[], { tools }: Offer, repair: Repair | undefined): Mended {
  let wantsRepair = false;
  let isMended = false;
  const mended = content.map((part) => {
    const tool = part.type === 'tool-call' ? findOffered(part.name, tools) : undefined;
    if (!tool || part.type !== 'tool-call') return part;
    const input = mendInput(part.input, tool, repair);
    wantsRepair ||= input === undefined;
    if (input === undefined || input === part.input) return part;
    isMended = true;
    return { ...part, input };
  });
  return { content: isMended ? mended : content, isLeak: false, wantsRepair };
}

function withLeaks(content: readonly Part[], offer: Offer, repair: Repair | undefined): Mended {
  let count = 0;
  let wantsRepair = false;
  const mended = content.flatMap((part): readonly Part[] => {
    const leaks = part.type === 'text' ? findLeaks(part.text, offer, repair) : undefined;
    wantsRepair ||= leaks?.wantsRepair ?? false;
    if (!leaks || leaks.calls.length === 0) return [part];
    const rest: TextPart[] = leaks.text === '' ? [] : [{ type: 'text', text: leaks.text }];
    const calls = leaks.calls.map((call): Part => {
      count++;
      return { type: 'tool-call', id: `call_${offer.turn}_${count}`, ...call };
    });
    return [...rest, ...calls];
  });
  return { content: count > 0 ? mended : content, isLeak: count > 0, wantsRepair };
}
