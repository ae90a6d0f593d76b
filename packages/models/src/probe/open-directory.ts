// Who knows what a kind of provider has, loaded when it is asked.

import type { ProviderType } from '../config/well-known.ts';
import type { Directory } from './directory.ts';

const chat = () => import('../providers/chat/model-list.ts').then(({ chatModels }) => chatModels);

const directories: Readonly<Record<ProviderType, () => Promise<Directory>>> = {
  openai: () => import('../providers/openai/model-list.ts').then(({ openaiModels }) => openaiModels),
  'openai-compatible': chat,
  anthropic: () => import('../providers/anthropic/model-list.ts').then(({ anthropicModels }) => anthropicModels),
  google: () => import('../providers/google/model-list.ts').then(({ googleModels }) => googleModels),
  openrouter: () => import('../providers/openrouter/model-list.ts').then(({ openrouterModels }) => openrouterModels),
  ollama: () => import('../providers/ollama/model-list.ts').then(({ ollamaModels }) => ollamaModels),
};

export function openDirectory(type: ProviderType): Promise<Directory> {
  return directories[type]();
}
