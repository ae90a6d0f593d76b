// What an adapter is: the language model of a provider package, told everything, and what we say to it in our own way.

import type { ModelRequest } from '@ai-agent/core';
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider';
import type { Reasoning } from '../reasoning.ts';
import type { PlaceOfFile } from '../result-files.ts';
import type { Traits } from '../traits.ts';

/** All that an adapter may know of where it goes. It reads nothing else, least of all the environment. */
export interface Endpoint {
  /** What the provider is called in `provider/model`. */
  readonly name: string;
  /** Where the API is, version included, without a slash at its end. */
  readonly baseUrl: string;
  /** Checked, and without blanks around it; empty when there is none. */
  readonly apiKey: string;
  /** Checked; sent with every request, after what the adapter sends of its own. */
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof globalThis.fetch;
}

export interface Adapter {
  readonly languageModel: LanguageModelV4;
  /**
   * The name under which its package takes options of its own, and under which a configuration gives them. Left out where
   * the adapter itself sees to what a configuration adds.
   */
  readonly namespace?: string;
  /** Its servers may leave thoughts and tool calls in the text. @default false: its API keeps them apart */
  readonly leaks?: boolean;
  /** Input tokens that the provider adds to each request with tools. @default 0 */
  readonly toolPromptTokens?: number;
  /** Where a file of a tool's result goes. @default pictures and PDFs to the user, after the results */
  readonly placeOf?: PlaceOfFile;
  /** What this kind of provider wants said otherwise. */
  readonly adapt?: (options: LanguageModelV4CallOptions, asked: Asked) => LanguageModelV4CallOptions;
  /** Whether it has to be streamed, also while nobody listens. */
  readonly mustStream?: (request: ModelRequest) => boolean;
  /** Money, when the provider says what the call cost. */
  readonly costOf?: (metadata: SharedV4ProviderMetadata | undefined) => number | undefined;
  /** Usage in a chunk of a stream, in the body of a failed answer, or beside an error in a reply. Undefined if there is none. */
  readonly reportedUsage?: (sent: Readonly<Record<string, unknown>>) => LanguageModelV4Usage | undefined;
  /** Why the reply ended, where the package does not know all that its provider says. */
  readonly finishOf?: (reason: LanguageModelV4FinishReason) => LanguageModelV4FinishReason;
}

/** What was asked, for those who need more than the package's options say. */
export interface Asked {
  readonly request: ModelRequest;
  /** What a level or a budget of the agent comes to with this model; undefined when nothing is to be sent. */
  readonly reasoning: Reasoning | undefined;
}

export type OpenAdapter = (modelId: string, endpoint: Endpoint, traits: Traits) => Adapter;
