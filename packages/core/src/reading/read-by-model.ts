// A long result read by a model for the agent that asks: in parts, by searching, or, when that fails, its two ends.

import { outputReading } from '../defaults.ts';
import { messageOf } from '../errors.ts';
import { showEnds } from '../output-ends.ts';
import { head, utf8Bytes } from '../text.ts';
import type { ToolContext } from '../tool.ts';
import { toChunks } from './chunks.ts';
import { readInChunks } from './read-in-chunks.ts';
import type { Answer, Reading } from './reader.ts';
import { searchByModel } from './search-by-model.ts';
import { bytesAtOnce } from './window.ts';

export type ReadingMode = 'auto' | 'full-chunked' | 'read-grep';

/** Always an answer, and how it was got; rejects only when the call was ended. */
export async function readByModel(reading: Reading, mode: ReadingMode = 'auto'): Promise<string> {
  const { context, text } = reading;
  try {
    const lines = linesOf(text);
    if (mode === 'read-grep') return await searched(reading, lines);
    const { toolOutput, texts } = context.caller;
    const { maxChunks = outputReading.maxChunks, overlapPercent = outputReading.overlapPercent } = toolOutput ?? {};
    const { avgLineBytesThreshold = outputReading.avgLineBytesThreshold } = toolOutput ?? {};
    const bytes = await bytesAtOnce(reading, texts.readOutput + texts.joinFindings + reading.extract);
    const chunks = toChunks(text, { bytes, overlapPercent });
    const most = mostChunks(context, maxChunks);
    if (mode === 'full-chunked' && chunks.length > most) return endsInstead(reading, tooMany(chunks.length, most));
    const isWorthIt =
      mode === 'full-chunked' || chunks.length <= maxChunks || utf8Bytes(text) / lines > avgLineBytesThreshold;
    if (!isWorthIt || chunks.length > most) return await searched(reading, lines);
    const parts = chunks.length === 1 ? 'at once' : `in ${chunks.length} parts`;
    return noted(await readInChunks(reading, chunks, bytes), `A model read all of the result for this, ${parts}`);
  } catch (error) {
    context.caller.scope.throwIfAborted();
    const why = `No model could read it: ${head(messageOf(error), 300)}`;
    return endsInstead(reading, `${why} ${onlyEnds}; read ranges of it, or search in it.`);
  }
}

/** Each is a session of the tree, which has other things to do: at least half of what it may still have is left to it. */
function mostChunks({ caller: { run, place } }: ToolContext, maxChunks: number): number {
  const left = run.ports.budget.descendantsLeft?.(place.id) ?? Number.POSITIVE_INFINITY;
  return Math.max(1, Math.min(Math.max(maxChunks, outputReading.mostChunks), Math.floor(left / 2)));
}

function tooMany(parts: number, most: number): string {
  const why = `Nobody has read it: that would be done in ${parts} parts, each by a session of its own, and ${most} is the most.`;
  return `${why} Use the mode read-grep, which searches in it, or read ranges of it. ${onlyEnds}.`;
}

const onlyEnds = 'What follows is only its beginning and its end';

async function searched(reading: Reading, lines: number): Promise<string> {
  const answer = await searchByModel(reading, lines);
  return noted(answer, 'A model searched the result for this, and need not have seen all of it');
}

function noted({ text, limit }: Answer, how: string): string {
  const cut = limit === undefined ? '' : `; the limit ${limit} stopped it before it was done`;
  return `${text}\n\n[${how}${cut}.]`;
}

/** Why comes first: whatever is cut again, that is read. */
function endsInstead({ text, context: { maxOutputBytes, caller } }: Reading, why: string): string {
  const note = `[${why}]`;
  return `${note}\n\n${showEnds(text, maxOutputBytes - utf8Bytes(note) - 2, caller.texts)}`;
}

function linesOf(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < text.length - 1; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
