// The step that sums up: the model of a session tells what was said so far in few words, and the session goes on from these.

import { askModel } from './ask-model.ts';
import type { Compaction } from './compaction.ts';
import { askable, usableIn } from './context-room.ts';
import { compaction as bounds } from './defaults.ts';
import type { Failure } from './errors.ts';
import { textOf, userMessage } from './message.ts';
import type { ModelReply, ModelRequest } from './model.ts';
import { retell } from './retell.ts';
import type { SessionState } from './state.ts';
import { hash } from './text.ts';
import { tokensOf } from './tokens.ts';

/** Null, also when nothing came of it: then the conversation is as it was. Otherwise the limit that ended the work. */
export async function sumUp(state: SessionState): Promise<string | null> {
  const { facts, texts } = state.parts;
  const { turn } = state;
  const compaction = state.planCompaction();
  state.countSummary();
  if (!compaction) return null;
  const op = `turn.${turn}.summary`;
  facts.write({ type: 'turn-start', op, turn, said: [], limit: null, step: 'summary' }, { turn });
  const { summary, failure } = await askForSummary(state, compaction, op);
  const summedUp =
    summary === undefined ? {} : { summedUp: state.compact(compaction, userMessage(texts.summedUp(summary))) };
  facts.write({ type: 'turn-end', op, turn, step: 'summary', ...summedUp }, { turn });
  return failure && isEnd(failure) ? (failure.limit ?? failure.code) : null;
}

interface Summary {
  readonly summary?: string;
  readonly failure?: Failure;
}

/** What is too long for one request is told in parts, each with the summary of those before it. */
async function askForSummary(state: SessionState, { from, summaryTokens }: Compaction, op: string): Promise<Summary> {
  const { transcript, texts } = state.parts;
  const { bytesPerToken } = transcript;
  const frame = { part: 1, parts: 1, text: '', before: '', mark: '', words: 0 };
  const frameTokens = tokensOf(texts.sumUp + texts.toSumUp(frame), bytesPerToken) + frameMargin;
  const partTokens = Math.max(...askable(state.view()).map(usableIn)) - frameTokens - summaryTokens * 2;
  const retelling = { partTokens, mostParts: bounds.mostParts, bytesPerToken, texts };
  const parts = retell(transcript.view().slice(0, from), retelling);
  const words = Math.floor(summaryTokens / 2);
  let before = '';
  for (const [i, text] of parts.entries()) {
    const part = { part: i + 1, parts: parts.length, text, before, mark: hash(text), words };
    const request = toRequest(state, texts.toSumUp(part), summaryTokens);
    const inputTokens = tokensOf(request.system + texts.toSumUp(part), bytesPerToken) + frameMargin;
    const asked = {
      op: `${op}.${i + 1}`,
      turn: state.turn,
      request,
      inputTokens,
      limit: null,
      step: 'summary',
    } as const;
    const { reply, failure } = await askModel(state, asked);
    if (failure) return { failure };
    before = reply ? wordsOf(reply) : '';
    if (before === '') return {};
  }
  return before === '' ? {} : { summary: before };
}

/** What marks, numbers and the form of a request come to at most. */
const frameMargin = 64;

function toRequest({ parts }: SessionState, prompt: string, maxOutputTokens: number): ModelRequest {
  const { stopSequences: _, ...settings } = parts.settings;
  return {
    system: parts.texts.sumUp,
    messages: [userMessage(prompt)],
    tools: [],
    output: { format: 'text' },
    settings: { ...settings, maxOutputTokens },
  };
}

/** Nothing of a reply that was filtered is used. */
function wordsOf({ message, finishReason }: ModelReply): string {
  return finishReason === 'content-filter' ? '' : textOf(message).trim();
}

function isEnd({ code }: Failure): boolean {
  return code === 'stopped' || code === 'cut-off';
}
