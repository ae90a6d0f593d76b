// Takes a final report out of the tags that older prompts ask for. What the model said stays in the conversation as it is.

import type { Middleware } from '../middleware.ts';
import { readReport } from '../report-tags.ts';

export const reportTags: Middleware = {
  name: 'report-tags',
  decide: {
    answer(verdict, { output }) {
      const text = readReport(verdict.text);
      // A JSON document may tell of tags, and has none around it.
      const isAsItWas = text === verdict.text || (output.format === 'json' && isJson(verdict.text));
      return isAsItWas ? verdict : { ...verdict, text };
    },
  },
};

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
