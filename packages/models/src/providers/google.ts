// Google's Gemini API.

import type { OpenAdapter } from './adapter.ts';
import { withSafeNames } from './google/function-names.ts';
import { placeOfFor } from './google/google-files.ts';
import { finishOf } from './google/google-finish.ts';
import { openGemini } from './google/google-model.ts';
import { adaptTo } from './google/google-request.ts';
import { reportedUsage } from './google/google-usage.ts';
import { renaming } from './renaming.ts';

export const openGoogle: OpenAdapter = (modelId, endpoint, traits) => {
  // One model, however it is called: what it has bound to its parts must find it again.
  const id = modelId.replace(/^models\//, '');
  return {
    languageModel: renaming(openGemini(id, endpoint), withSafeNames),
    namespace: 'google',
    placeOf: placeOfFor(id),
    adapt: adaptTo(id, traits),
    finishOf,
    reportedUsage,
  };
};
