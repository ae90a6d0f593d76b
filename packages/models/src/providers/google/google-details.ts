// Answers without their counts by modality: the API leaves out a count that is zero, and the package refuses such a reply.

import { wholeText } from '../failed-answer.ts';
import { bodiless } from './google-errors.ts';

/** Inside a text the quotes would have a backslash before them. */
const details = /("(?:prompt|cache|candidates|toolUsePrompt)TokensDetails"\s*:\s*\[)[^\]]*/g;

/** Nobody here reads them: what a call costs is told by the sums. */
export async function withoutDetails(response: Response, isStreamed: boolean): Promise<Response> {
  const { ok, status, statusText, headers, body } = response;
  if (!ok || bodiless.has(status)) return response;
  const tidied = isStreamed ? body?.pipeThrough(byLines()) : tidy(await wholeText(response));
  return new Response(tidied, { status, statusText, headers });
}

function tidy(text: string): string {
  return text.replace(details, '$1');
}

/** A line at a time: no event is complete before its line is. */
function byLines(): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let begun: string[] = [];
  return new TransformStream({
    transform(chunk, controller) {
      const text = decoder.decode(chunk, { stream: true });
      const end = text.lastIndexOf('\n') + 1;
      if (end > 0) {
        controller.enqueue(encoder.encode(tidy(begun.join('') + text.slice(0, end))));
        begun = [];
      }
      begun.push(text.slice(end));
    },
    flush: (controller) => controller.enqueue(encoder.encode(begun.join('') + decoder.decode())),
  });
}
