// What went wrong, in words for whoever visits a page. What the server says is for who runs it, and for who built the page.

import { waitWords } from '../server/api.ts';
import type { Failure } from '../server/documents.ts';

export interface VisitorWords {
  readonly message: string;
  /** What a visitor can do about it. */
  readonly remedy?: string;
}

export function toVisitorWords(failure: Failure): VisitorWords {
  const { code, class: kind, message, retryAfterMs, retryable } = failure;
  const later = retryAfterMs === undefined ? 'Try again in a moment.' : waitWords(retryAfterMs);
  const known = words[code];
  if (known) return known(later);
  // These are about what the visitor wrote, or of our own making.
  if (kind === 'usage' || isSilence(code)) return { message, remedy: failure.remedy ?? later };
  return { message: 'This could not be finished.', ...(retryable === false ? {} : { remedy: later }) };
}

/** A request that the server itself did not answer. What else goes wrong in a network is told in the words of a provider. */
function isSilence(code: string): boolean {
  return code === 'unreachable' || code.startsWith('http-');
}

const notSetUp = () => ({ message: 'This chat is not set up for this page.' });
const tooLong = () => ({ message: 'This is too long.', remedy: 'Write less at once.' });

const words: Readonly<Record<string, (later: string) => VisitorWords>> = {
  'key-refused': notSetUp,
  'key-limited': notSetUp,
  'origin-refused': notSetUp,
  'agent-unknown': notSetUp,
  'agent-forbidden': notSetUp,
  'route-unknown': notSetUp,
  'method-wrong': notSetUp,
  'request-invalid': notSetUp,
  'request-too-large': tooLong,
  'headers-too-large': tooLong,
  'session-input-invalid': () => ({ message: 'This chat does not understand what was written.' }),
  'too-many-requests': (remedy) => ({ message: 'Too many messages at once.', remedy }),
  'server-full': (remedy) => ({ message: 'Many people ask at the moment.', remedy }),
  'allowance-spent': (remedy) => ({ message: 'No more messages are taken for now.', remedy }),
  'server-stopping': (remedy) => ({ message: 'The server does not answer.', remedy }),
  'session-interrupted': () => ({ message: 'The server has broken off.', remedy: 'Ask again.' }),
  'session-busy': () => ({ message: 'The last message is not answered yet.', remedy: 'Wait until it is.' }),
  'session-unknown': () => ({
    message: 'This talk is not kept any more.',
    remedy: 'What you write next begins a new one.',
  }),
  'question-unknown': () => ({ message: 'This question is not open any more.', remedy: 'Ask again.' }),
};
