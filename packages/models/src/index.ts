// The whole public surface of models, by hand. Adding a name here is a promise.

export { fromLanguageModel, type LanguageModelOptions } from './ai-sdk-model.ts';
export { createModels, type Models, type ModelsOptions } from './catalogue.ts';
export { createTransport } from './http-transport.ts';
export { type OfflineDemoOptions, offlineDemo } from './offline/offline-demo.ts';
export { type OpenAICompatibleOptions, openaiCompatible } from './openai-compatible.ts';
export type { ProviderConfig } from './provider-config.ts';
export { type ProviderErrorContext, toProviderError } from './provider-errors.ts';
export type { Transport, TransportOptions } from './transport.ts';
