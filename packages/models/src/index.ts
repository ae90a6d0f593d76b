// The whole public surface of models, by hand. Adding a name here is a promise.

export { fromLanguageModel, type LanguageModelOptions } from './ai-sdk-model.ts';
export { createModels, type Models, type ModelsOptions } from './catalogue.ts';
export { type OpenAICompatibleOptions, openaiCompatible } from './compatible-model.ts';
export type { ConfigProblem } from './config/config-problem.ts';
export { describeProvider } from './config/describe-provider.ts';
export type { ProviderConfig, ProviderModelConfig } from './config/provider-config.ts';
export { type ProviderType, providerTypes, type WellKnownProvider, wellKnown } from './config/well-known.ts';
export { type ProviderErrorContext, toProviderError } from './failures/provider-errors.ts';
export { findLocalOllama, type LocalOllamaOptions } from './find-local-ollama.ts';
export { createTransport } from './http/http-transport.ts';
export type { Transport, TransportOptions } from './http/transport.ts';
export { knownPrice } from './known-price.ts';
export { type OfflineDemoOptions, offlineDemo } from './offline/offline-demo.ts';
export { describePricing, type Pricing, type PricingEntry, priceBook } from './price-book.ts';
export type { ModelQuestion, ProbedModel, ProbeOptions } from './probe/question.ts';
export { probeModels } from './probe-models.ts';
export { filesTakenBy } from './taken-files.ts';
