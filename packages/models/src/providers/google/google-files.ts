// Files of results as Gemini takes them: newer models in the result itself, older ones from the user.

import { getGoogleLanguageModelEntry } from '@ai-sdk/google/internal';
import { type PlaceOfFile, placing } from '../../result-files.ts';

export function placeOfFor(modelId: string): PlaceOfFile {
  const { functionResponseParts } = getGoogleLanguageModelEntry(modelId).capabilities.language.tools;
  const place = placing(functionResponseParts === true ? newer : older);
  // At an address it is told to the user: a result has no place for that.
  return (file) => (file.data.type === 'url' && place(file) === 'inside' ? 'after' : place(file));
}

const pictures = [/^image\/(?:png|jpeg|webp)$/, /^application\/pdf$/];
const more = [/^(?:audio|video)\//, /^image\/hei[cf]$/];
const newer = { inside: pictures, after: more };
const older = { inside: [], after: [...pictures, ...more] };
