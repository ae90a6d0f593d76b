// What files a provider takes with a prompt, by what it is: nobody says it of every model.

import { type ProviderType, typeOf } from './config/well-known.ts';

/** Media types. A provider of no known type is asked as OpenAI is, and most of those take pictures. */
export function filesTakenBy(name: string, { type }: { readonly type?: unknown }): readonly string[] {
  return byType[typeOf(name, type) ?? 'openai-compatible'];
}

const pictures = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
const pdf = 'application/pdf';

const byType: Readonly<Record<ProviderType, readonly string[]>> = {
  openai: [...pictures, pdf],
  // It reads a PDF for models that cannot.
  openrouter: [...pictures, pdf],
  anthropic: [...pictures, pdf, 'text/plain'],
  google: ['image/png', 'image/jpeg', 'image/webp', pdf, 'text/plain', 'audio/*', 'video/*'],
  'openai-compatible': pictures,
  ollama: pictures,
};
