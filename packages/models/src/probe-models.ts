// Whether models can be reached, before anybody runs on them: providers are asked for what they have, which costs nothing.

import { lazily } from './lazily.ts';
import type { ModelQuestion, ProbedModel, ProbeOptions } from './probe/question.ts';

const load = lazily(() => import('./probe/probe.ts'));

/**
 * One for each question, in their order. Providers are asked side by side, and each once, however many questions are about
 * it. Never rejects; nothing is generated, and nothing that has a price is sent.
 */
export async function probeModels(
  questions: readonly ModelQuestion[],
  options: ProbeOptions = {},
): Promise<readonly ProbedModel[]> {
  if (questions.length === 0) return [];
  const { probe } = await load();
  return probe(questions, options);
}
