// A long result read whole: every part by a reader of its own, side by side, then one answer made of what they found.

import { hash, headBytes } from '../text.ts';
import { type Answer, askReader, type Reading } from './reader.ts';

/** `bytes` is how much one reader takes at once. */
export async function readInChunks(reading: Reading, chunks: readonly string[], bytes: number): Promise<Answer> {
  const { extract, context } = reading;
  const { texts, limits } = context.caller;
  const reader = { instructions: texts.readOutput };
  const findings = await sideBySide(chunks, limits.maxParallel, (text, i) => {
    const prompt = texts.outputToRead({ extract, text, part: i + 1, parts: chunks.length, mark: hash(text) });
    return askReader(reading, reader, prompt);
  });
  const [first] = findings;
  if (first && findings.length === 1) return first;
  const room = Math.floor(bytes / findings.length);
  const prompt = texts.findingsToJoin({ extract, findings: findings.map(({ text }) => headBytes(text, room)) });
  const joined = await askReader(reading, { instructions: texts.joinFindings }, prompt);
  const limit = joined.limit ?? findings.find((one) => one.limit !== undefined)?.limit;
  return limit === undefined ? joined : { ...joined, limit };
}

/** In their order. The first that throws is the end of the call, and that is the end of the others. */
async function sideBySide<T, R>(
  items: readonly T[],
  most: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  let next = 0;
  const goOn = async () => {
    for (let i = next++; i < items.length; i = next++) results[i] = await work(items[i] as T, i);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, goOn));
  return results;
}
