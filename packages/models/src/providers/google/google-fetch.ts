// How a call of Gemini is carried: one request, to the address and with the headers of the endpoint.

import type { Endpoint } from '../adapter.ts';
import { headersOf } from '../endpoint.ts';
import { withoutDetails } from './google-details.ts';
import { framed } from './google-errors.ts';

/**
 * For one call. The package goes on by itself where a model stops for a pause (`CONTINUATION`), and the whole prompt is
 * paid again: what it asks after the first request is answered here, as a reply that has reached its length.
 */
export function fetchOnce(endpoint: Endpoint): typeof globalThis.fetch {
  const headers = headersTo(endpoint);
  const query = new URL(endpoint.baseUrl).search.slice(1);
  let isAsked = false;
  return (input, init) => {
    const url = String(input);
    const isStreamed = url.endsWith('?alt=sse');
    if (isAsked) return Promise.resolve(ofLength(isStreamed));
    isAsked = true;
    const address = query === '' ? url : `${url}${isStreamed ? '&' : '?'}${query}`;
    const answer = endpoint
      .fetch(address, { ...init, headers })
      .then((response) => withoutDetails(response, isStreamed));
    return isStreamed ? answer.then(framed) : answer;
  };
}

/** Exactly these: the package would add names and versions of its own. */
export function headersTo(endpoint: Endpoint): Record<string, string> {
  const key: Record<string, string> = endpoint.apiKey === '' ? {} : { 'x-goog-api-key': endpoint.apiKey };
  return headersOf(endpoint, { 'content-type': 'application/json', ...key });
}

function ofLength(isStreamed: boolean): Response {
  const end = JSON.stringify({ candidates: [{ finishReason: 'MAX_TOKENS' }] });
  return new Response(isStreamed ? `data: ${end}\r\n\r\n` : end);
}
