// What is said of a provider that cannot be asked, and of a model that it does not have.

import { AgentError, type Failure, nearest, toFailure } from '@ai-agent/core';
import { addressIn, checkAddress } from '../failures/pages.ts';
import type { Endpoint } from '../providers/adapter.ts';
import { addressOf } from '../providers/endpoint.ts';

const harmless = 'Not every server has a list of its models: if runs work, nothing has to be done.';

/**
 * It answers, and has no such question: which says nothing of the key or of the model. A key may also be good for
 * everything but lists.
 */
export function isNoAnswer({ code, status, message }: Failure): boolean {
  // What has no status was refused by us, as a redirect is: so would a model call be.
  if (status === 501 || (code === 'model-request-refused' && status !== undefined && status >= 400)) return true;
  return status === 403 && /missing scope/i.test(message);
}

/** `failure` is what it said instead of a list; undefined when that was something else in JSON. */
export function withoutList(failure: Failure | undefined, ref: string, endpoint: Endpoint): Failure {
  const address = addressIn(addressOf(endpoint, ''));
  const why = failure === undefined ? 'its answer is no list of models' : failure.message.slice(ref.length + 2);
  const message = `${ref}: ${address} could not be asked for its models: ${why}`;
  const remedy = failure?.remedy === checkAddress ? `${harmless} Otherwise: ${checkAddress}` : harmless;
  if (failure) return { ...failure, message, remedy };
  return toFailure(new AgentError('model-reply-invalid', message, { remedy }));
}

interface Missing {
  readonly provider: string;
  readonly model: string;
  readonly names: readonly string[];
  readonly remedy: string | undefined;
}

export function missing({ provider, model, names, remedy }: Missing): Failure {
  const close = closeTo(model, names);
  const meant = close.length > 0 ? `; did you mean ${inWords(close, 'or')}?` : has(names);
  return toFailure(
    new AgentError('model-unknown', `${provider}/${model}: ${provider} has no model ${model}${meant}`, {
      remedy:
        remedy ?? 'Correct the name of the model; what stands after the first slash is what its provider calls it.',
    }),
  );
}

const most = 3;

/** Those that are nearly spelt so, the nearest first, then those that have it in their name. */
function closeTo(model: string, names: readonly string[]): readonly string[] {
  const found = new Set<string>();
  while (found.size < most) {
    const next = nearest(
      model,
      names.filter((name) => !found.has(name)),
    );
    if (next === undefined) break;
    found.add(next);
  }
  const word = model.toLowerCase();
  for (const name of names) if (found.size < most && name.toLowerCase().includes(word)) found.add(name);
  return [...found];
}

function has(names: readonly string[]): string {
  if (names.length === 0) return '; it has none';
  const some = names.slice(0, most).join(', ');
  return names.length <= most ? `; it has ${some}` : `; it has ${names.length}, such as ${some}`;
}

function inWords(words: readonly string[], last: string): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}
