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
    const isReadWhole =
      mode === 'full-chunked' || chunks.length <= maxChunks || utf8Bytes(text) / lines > avgLineBytesThreshold;
    if (!isReadWhole) return await searched(reading, lines);
    const parts = chunks.length === 1 ? 'at once' : `in ${chunks.length} parts`;
    return noted(await readInChunks(reading, chunks, bytes), `A model read all of the result for this, ${parts}`);
  } catch (error) {
    context.caller.scope.throwIfAborted();
    return endsInstead(reading, messageOf(error), context);
  }
}

async function searched(reading: Reading, lines: number): Promise<string> {
  const answer = await searchByModel(reading, lines);
  return noted(answer, 'A model searched the result for this, and need not have seen all of it');
}

function noted({ text, limit }: Answer, how: string): string {
  const cut = limit === undefined ? '' : `; the limit ${limit} stopped it before it was done`;
  return `${text}\n\n[${how}${cut}.]`;
}

/** Why comes first: whatever is cut again, that is read. */
function endsInstead({ text }: Reading, why: string, { maxOutputBytes, caller }: ToolContext): string {
  const note = `[No model could read it: ${head(why, 300)} What follows is only its beginning and its end; read ranges of it, or search in it.]`;
  return `${note}\n\n${showEnds(text, maxOutputBytes - utf8Bytes(note) - 2, caller.texts)}`;
}

function linesOf(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < text.length - 1; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
