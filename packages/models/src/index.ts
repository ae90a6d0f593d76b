// The whole public surface of models, by hand. Adding a name here is a promise.

export { fromLanguageModel, type LanguageModelOptions } from './ai-sdk-model.ts';
export { createModels, type Models, type ModelsOptions } from './catalogue.ts';
export type { ConfigProblem } from './config-problem.ts';
export { describeProvider } from './describe-provider.ts';
export { findLocalOllama, type LocalOllamaOptions } from './find-local-ollama.ts';
export { createTransport } from './http-transport.ts';
export { type OfflineDemoOptions, offlineDemo } from './offline/offline-demo.ts';
export { type OpenAICompatibleOptions, openaiCompatible } from './openai-compatible.ts';
export { describePricing, type Pricing, type PricingEntry, priceBook } from './price-book.ts';
export type { ProviderConfig, ProviderModelConfig } from './provider-config.ts';
export { type ProviderErrorContext, toProviderError } from './provider-errors.ts';
export type { Transport, TransportOptions } from './transport.ts';
export { type ProviderType, providerTypes, type WellKnownProvider, wellKnown } from './well-known.ts';
