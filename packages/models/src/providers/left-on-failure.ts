// A stream that fails while it is opened is left: its connection is closed, whatever the server goes on to write.

import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';

type Open = LanguageModelV4['doStream'];

/** Packages look at the first event before they hand out the stream; when it is an error, they leave the rest unread. */
export function leftOnFailure(open: Open): Open {
  return (options: LanguageModelV4CallOptions) => {
    const left = new AbortController();
    const abortSignal = AbortSignal.any([left.signal, ...(options.abortSignal ? [options.abortSignal] : [])]);
    return Promise.resolve(open({ ...options, abortSignal })).catch((error: unknown) => {
      left.abort();
      throw error;
    });
  };
}
