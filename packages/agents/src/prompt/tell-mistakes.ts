// Mistakes of templates as problems of a load, each once.

import type { Problems } from '../problem.ts';
import type { Mistake } from './template-mistake.ts';

export function tellMistakes(mistakes: readonly Mistake[], problems: Problems): void {
  const told = new Set<string>();
  for (const { source, line, message } of mistakes) {
    const words = `${source.file}:${line}: ${message}`;
    if (told.has(words)) continue;
    told.add(words);
    problems.error('prompt-invalid', { file: source.file, line }, message);
  }
}
