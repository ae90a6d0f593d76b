// What is asked about a model, and what can come of it.

import type { EnvOverlay, Failure } from '@ai-agent/core';
import type { ProviderConfig } from '../config/provider-config.ts';
import type { Transport } from '../http/transport.ts';

/** A model, and what its provider is set up with. */
export interface ModelQuestion {
  readonly provider: string;
  readonly model: string;
  readonly config: ProviderConfig;
  /** The variables that the set-up names. */
  readonly env: EnvOverlay;
}

export interface ProbedModel {
  /** `unknown` when the provider answers and cannot be asked this, or not now. */
  readonly status: 'ok' | 'failed' | 'unknown';
  /** How long it took. */
  readonly ms: number;
  /** Why it is not ok, in the words and classes of a model call. No key is in it. */
  readonly failure?: Failure;
}

export interface ProbeOptions {
  /** How long a provider may take, all in all. @default 10000 */
  readonly timeoutMs?: number;
  /** @default an own one, closed afterwards */
  readonly transport?: Transport;
  /** Milliseconds since 1970. Without it, a Retry-After that names a date is not understood. */
  readonly now?: () => number;
}
