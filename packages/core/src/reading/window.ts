// How much of a text a reader takes at once: what its models have room for.

import { defaultSettings } from '../defaults.ts';
import { AgentError } from '../errors.ts';
import { measureTokens } from '../measure-tokens.ts';
import type { Model, ModelRef } from '../model.ts';
import { resolveModel } from '../open-agent.ts';
import { head } from '../text.ts';
import { tokensOf, usualBytesPerToken } from '../tokens.ts';
import type { WorkingCaller } from '../tool.ts';
import { modelsOf, type Reading } from './reader.ts';

/** In bytes; by the smallest of the models, since any of them may answer. Throws when none can be opened. */
export async function bytesAtOnce(reading: Reading, prompt: string): Promise<number> {
  const { caller } = reading.context;
  const models = await Promise.allSettled(modelsOf(caller).map((ref) => open(ref, reading)));
  const opened = models.flatMap((model) => (model.status === 'fulfilled' ? [model.value] : []));
  const [broken] = models.flatMap((model) => (model.status === 'rejected' ? [model.reason as unknown] : []));
  if (opened.length === 0) throw broken;
  const bytes = Math.floor(Math.min(...opened.map((model) => bytesIn(model, caller, { text: reading.text, prompt }))));
  if (bytes >= leastBytes) return bytes;
  throw new AgentError('tool-failed', 'What is looked for leaves no room for the text in the context window.');
}

/** Less at once would be a call for every few lines. */
const leastBytes = 256;

function open(ref: ModelRef, { context: { caller, env } }: Reading): Promise<Model> {
  const { run, place, scope } = caller;
  const hide = (secret: string) => run.secrets.hide(secret);
  return scope.race(resolveModel({ name: place.ancestry.at(-1) ?? '', ref }, { env, hide }, run.ports));
}

interface Given {
  readonly text: string;
  /** What is said beside it. */
  readonly prompt: string;
}

function bytesIn(model: Model, { limits, settings }: WorkingCaller, { text, prompt }: Given): number {
  const window = model.contextWindowTokens ?? limits.contextWindowTokens;
  const buffer = Math.min(model.contextBufferTokens ?? limits.contextBufferTokens, window / 2);
  const usable = window - buffer;
  const reply = Math.min(settings.maxOutputTokens ?? defaultSettings.maxOutputTokens, usable / 4);
  const perToken = bytesPerToken(model, text);
  // A model with little room left is asked last: that is not what its place in the list says.
  const room = Math.min(usable - reply, window * mostOfWindow);
  return (room - tokensOf(prompt, perToken)) * perToken;
}

const mostOfWindow = 0.7;

/** By the beginning of the text itself: data has more tokens to the byte than prose. */
function bytesPerToken({ countTokens }: Model, text: string): number {
  const measured = countTokens && measureTokens(countTokens, head(text, sampleLength));
  return Math.min(measured?.bytesPerToken ?? usualBytesPerToken, usualBytesPerToken);
}

const sampleLength = 16_000;
