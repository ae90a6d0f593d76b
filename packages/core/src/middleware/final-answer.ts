// Holds a final report to its contract: sends it back with the reasons, or gives up; never lets a broken one pass.

import { AgentError, toFailure } from '../errors.ts';
import { isObject, type Json } from '../json.ts';
import type { Middleware, SessionView, Verdict } from '../middleware.ts';
import { problemsOf } from '../schema.ts';

export const finalAnswer: Middleware = {
  name: 'final-answer',
  decide: {
    answer(verdict, view) {
      if (verdict.finishReason === 'content-filter') return refused(verdict);
      if (view.output.format === 'json') return checkJson(verdict, view);
      if (verdict.finishReason === 'length') return cut(verdict);
      return verdict.text.trim() === '' ? askAgain(verdict, view) : verdict;
    },
  },
};

function cut(verdict: Verdict): Verdict {
  return { ...verdict, limit: verdict.shortenedBy ?? 'maxOutputTokens' };
}

function refused(verdict: Verdict): Verdict {
  const failure = toFailure(
    new AgentError('model-refusal', 'The model, or a filter of its provider, refused to answer.'),
  );
  return { ...verdict, failure };
}

function askAgain(verdict: Verdict, view: SessionView): Verdict {
  return again(verdict, view, { retry: view.texts.emptyReply, problems: ['the reply was empty'] });
}

function checkJson(verdict: Verdict, view: SessionView): Verdict {
  const { schema } = view.output;
  const found = readings(verdict.text, view).find(({ value }) => problemsOf(schema, value).length === 0);
  const isCut = verdict.finishReason === 'length';
  // A list or an object that is closed was not cut; of a bare number nobody knows.
  if (found && (!isCut || typeof found.value === 'object')) {
    return { ...verdict, text: JSON.stringify(found.value), report: found.value };
  }
  if (isCut) return cut(verdict);
  if (verdict.text.trim() === '') return askAgain(verdict, view);
  const whole = parse(verdict.text);
  const problems = whole ? problemsOf(schema, whole.value) : ['it is not one JSON document'];
  if (view.isOutputTold) return again(verdict, view, { retry: view.texts.repair(problems), problems });
  return again(verdict, view, { retry: view.texts.convert(schema), problems, tellsOutput: true });
}

interface Complaint {
  readonly retry: string;
  readonly problems: readonly string[];
  readonly tellsOutput?: boolean;
}

function again(verdict: Verdict, view: SessionView, { retry, problems, tellsOutput = false }: Complaint): Verdict {
  if (tellsOutput || view.repairs < view.limits.maxRepairs) return { ...verdict, retry, tellsOutput };
  const tries = view.repairs === 0 ? 'one try' : `${view.repairs + 1} tries`;
  const message = `The final answer does not keep its contract after ${tries}: ${problems.join('; ')}.`;
  const remedy = verdict.text.trim() === '' ? { remedy: 'Try again, or use another model.' } : {};
  return { ...verdict, failure: toFailure(new AgentError('output-invalid', message, remedy)) };
}

/**
 * What may be meant as the report: the whole text, or the one fenced block; for a model that knows its contract also
 * the object between other words. A text that only quotes some JSON must not be replaced by the quotation.
 */
function readings(text: string, { isOutputTold, output }: SessionView): readonly { value: Json }[] {
  // A closing fence has only blanks before it: a model that writes nothing but line breaks must not cost us minutes.
  const fences = [...text.matchAll(/```(?:json)?[^\S\n]*\n([\s\S]*?)\n[^\S\n]*```/gi)];
  const trimmed = text.trim();
  const isAllFence = trimmed.startsWith('```') && trimmed.endsWith('```');
  const fenced = fences.length === 1 && (isAllFence || isOutputTold) ? fences[0]?.[1] : undefined;
  const between = isOutputTold && output.schema ? text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1) : undefined;
  const object = between ? parse(between) : undefined;
  return [
    parse(text),
    fenced === undefined ? undefined : parse(fenced),
    isObject(object?.value) ? object : undefined,
  ].filter((reading) => reading !== undefined);
}

function parse(text: string): { value: Json } | undefined {
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    return undefined;
  }
}
