// What is said of a provider that cannot be asked, and of a model that it does not have.

import { AgentError, type Failure, nearest, toFailure } from '@ai-agent/core';
import { checkAddress } from '../failures/pages.ts';
import { strikeOut } from '../failures/secrets.ts';

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

/** Whether this, said of one model, means that there is none by its name. */
export function isNotThere({ code, status }: Failure): boolean {
  return code === 'model-request-refused' && (status === 400 || status === 404);
}

/** `failure` is what it said instead of a list; undefined when that was something else in JSON. */
export function withoutList(failure: Failure | undefined, ref: string, address: string): Failure {
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
  /** What may be in no name that is shown, in all its forms. */
  readonly struck: readonly string[];
}

export function missing({ provider, model, names, remedy, struck }: Missing): Failure {
  const show = (some: readonly string[]) => some.map((name) => strikeOut(name, struck));
  const close = show(closeTo(model, names.slice(0, mostCompared)));
  const meant =
    close.length > 0 ? `; did you mean ${inWords(close, 'or')}?` : has(show(names.slice(0, most)), names.length);
  return toFailure(
    new AgentError('model-unknown', `${provider}/${model}: ${provider} has no model ${model}${meant}`, {
      remedy:
        remedy ?? 'Correct the name of the model; what stands after the first slash is what its provider calls it.',
    }),
  );
}

const most = 3;

/** Nobody waits for more of them to be compared. */
const mostCompared = 3_000;

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

function has(some: readonly string[], count: number): string {
  if (count === 0) return '; it has none';
  return count === some.length ? `; it has ${some.join(', ')}` : `; it has ${count}, such as ${some.join(', ')}`;
}

function inWords(words: readonly string[], last: string): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}
