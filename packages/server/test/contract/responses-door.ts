// Responses as one API of models: with the whole conversation in each request, or with the name of the response before.

import { expect } from 'vitest';
import type { RawEvent } from '../support/sse-events.ts';
import type { ModelApi, ModelTalk, Read, Told, ToldError } from './model-door.ts';

/** The conversation is sent each time. */
export const responsesApi: ModelApi = { path: '/v1/responses', toBody, fromBody, fromEvents };

/** The server has kept it. */
export const keptResponsesApi: ModelApi = {
  ...responsesApi,
  toBody: (talk) =>
    talk.previous === undefined
      ? toBody(talk)
      : { ...toBody({ ...talk, said: talk.said.slice(-1) }), previous_response_id: talk.previous },
};

function toBody({ agent, said, schema }: ModelTalk): object {
  return {
    model: agent,
    input: said.map(({ role, text }) => ({ role, content: text })),
    ...(schema ? { text: { format: { type: 'json_schema', name: 'wanted', schema } } } : {}),
  };
}

function fromBody({ id, output, ai_agent: about }: Read): Told {
  const messages = output.filter(({ type }: Read) => type === 'message');
  const texts = messages.flatMap(({ content }: Read) => content.map((part: Read) => part.text));
  return { text: texts.join(''), about, id };
}

async function fromEvents(
  events: AsyncIterable<RawEvent>,
  onPiece: (piece: string) => void,
): Promise<Told | ToldError> {
  let response: Read;
  let isDone = false;
  for await (const { event, data } of events) {
    expect(isDone, 'nothing comes after the end').toBe(false);
    isDone = data === '[DONE]';
    if (isDone) continue;
    const read = JSON.parse(data);
    expect(read.type).toBe(event);
    if (event === 'response.output_text.delta') onPiece(read.delta);
    response = read.response;
  }
  if (response.status === 'failed') return { message: response.error.message, ai_agent: response.ai_agent };
  return fromBody(response);
}
