// What a connection over HTTP has of OAuth: keys for its requests, and what to do when they are refused.

import {
  type AuthProvider,
  type FetchLike,
  InsufficientScopeError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';

export interface Auth {
  /** For the transport, as `authProvider`. What can be done without a person, it does. */
  readonly provider: AuthProvider;
  /** For the transport, as `fetch`: the one that was handed in, watched, so that it is known which token was refused. */
  readonly fetch: FetchLike;
  /**
   * After `isLoginNeeded(refusal)`, when connecting or in a call: logs in, then the same is tried again. Takes as long as a
   * person takes. Throws an AgentError of class auth when there is no way on, also when the last login did not help.
   */
  complete(refusal: unknown, signal: AbortSignal): Promise<void>;
  /** Tells every secret that is known, and each that becomes known, until what it gives is called. */
  hideFrom(hide: (secret: string) => void): () => void;
  /** When the connection is over. What was logged in to stays so. */
  close(): Promise<void>;
}

/** Whether a transport gave up because the server wants to know who we are, or wants us to be allowed more. */
export function isLoginNeeded(error: unknown): boolean {
  if (error instanceof UnauthorizedError || error instanceof InsufficientScopeError) return true;
  return error instanceof SdkHttpError && error.code === SdkErrorCode.ClientHttpAuthentication;
}
