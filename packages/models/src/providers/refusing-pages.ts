// A page where a reply should be, from a portal or from an address that is none of the API: told as what it is.

import { AgentError } from '@ai-agent/core';
import { addressIn, checkAddress, excerptOf, isPage } from '../failures/pages.ts';
import { startOf } from './failed-answer.ts';

/** Only what calls itself a page is looked at; some servers call their answers so. */
export function refusingPages(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return (input, init) =>
    fetch(input, init).then((response) => (claimsToBePage(response) ? withoutPage(response, String(input)) : response));
}

/** The body is asked for last: to look at it makes a stream of it, which most answers never need. */
function claimsToBePage(response: Response): boolean {
  const isHtml = /^\s*text\/html\b/i.test(response.headers.get('content-type') ?? '');
  return isHtml && response.status === 200 && response.body !== null;
}

async function withoutPage(response: Response, asked: string): Promise<Response> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const first = await reader.read();
  const { status, statusText, headers } = response;
  const again = new Response(continued(reader, first), { status, statusText, headers });
  if (first.done || !isPage(new TextDecoder().decode(first.value))) return again;
  const page = await startOf(again);
  const words = excerptOf(page, []);
  const message = `${addressIn(asked)} answered with a page, not with a reply${words === '' ? '.' : `: ${words}`}`;
  throw new AgentError('model-reply-invalid', message, { remedy: checkAddress });
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

function continued(reader: Reader, first: Awaited<ReturnType<Reader['read']>>): ReadableStream<Uint8Array> {
  let next: typeof first | undefined = first;
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = next ?? (await reader.read());
      next = undefined;
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
