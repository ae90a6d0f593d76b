// Holds a final report to its contract: sends it back with the reasons, or gives up; never lets a broken one pass.

import { AgentError, toFailure } from '../errors.ts';
import type { Json } from '../json.ts';
import type { Middleware, SessionView, Verdict } from '../middleware.ts';
import { problemsOf } from '../schema.ts';

export const finalAnswer: Middleware = {
  name: 'final-answer',
  decide: {
    answer(verdict, view) {
      if (verdict.finishReason === 'content-filter') return refused(verdict);
      if (verdict.text.trim() === '') return again(verdict, view, view.texts.emptyReply, ['the reply was empty']);
      if (view.output.format === 'json') return checkJson(verdict, view);
      return verdict.finishReason === 'length' ? { ...verdict, limit: 'maxOutputTokens' } : verdict;
    },
  },
};

function refused(verdict: Verdict): Verdict {
  const failure = toFailure(
    new AgentError('model-refusal', 'The model, or a filter of its provider, refused to answer.'),
  );
  return { ...verdict, failure };
}

function checkJson(verdict: Verdict, view: SessionView): Verdict {
  const parsed = parseJson(verdict.text);
  const problems = 'value' in parsed ? problemsOf(view.output.schema ?? {}, parsed.value) : [parsed.problem];
  if ('value' in parsed && problems.length === 0) {
    return { ...verdict, text: JSON.stringify(parsed.value), report: parsed.value };
  }
  const isFirstTry = view.isOutputAsked && view.repairs === 0;
  const retry = isFirstTry ? view.texts.convert(view.output.schema) : view.texts.repair(problems);
  return again(verdict, view, retry, problems);
}

function again(verdict: Verdict, view: SessionView, retry: string, problems: readonly string[]): Verdict {
  if (view.repairs < view.limits.maxRepairs) return { ...verdict, retry };
  const message = `The final answer does not keep its contract after ${view.repairs + 1} tries: ${problems.join('; ')}.`;
  return { ...verdict, failure: toFailure(new AgentError('output-invalid', message)) };
}

/** The JSON of an answer: alone, inside a code fence, or the one document between other words. */
export function parseJson(text: string): { value: Json } | { problem: string } {
  const fenced = /```(?:json)?\s*\n([\s\S]*?)\n\s*```/i.exec(text)?.[1];
  const start = text.search(/[{[]/);
  const between = start < 0 ? '' : text.slice(start, Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1);
  for (const candidate of [text, fenced, between]) {
    if (!candidate) continue;
    try {
      return { value: JSON.parse(candidate) as Json };
    } catch {
      // The next reading may do; if none does, the answer is sent back.
    }
  }
  return { problem: 'it is not one JSON document' };
}
