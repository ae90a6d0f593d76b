// `/v1/responses`: items of a conversation, and those that the agent adds; kept, so that the next request can go on from them.

import { AgentError } from '@ai-agent/core';
import type { Context, Hono } from 'hono';
import type { Inside } from '../../../door.ts';
import { toSafeFailure } from '../../../failure-status.ts';
import type { TalkRoutes } from '../../../talk/talk-routes.ts';
import { toOpenaiError } from '../openai-error.ts';
import { createResponse } from './create-response.ts';
import { toItemList } from './input-items.ts';
import { type KeptResponse, KeptResponses } from './kept-responses.ts';
import { PreviousUnknown, tellPreviousUnknown } from './previous-unknown.ts';

export function mountResponses(app: Hono<Inside>, routes: TalkRoutes): void {
  const kept = new KeptResponses(routes.hall.clock);
  const find = (context: Context<Inside>): KeptResponse => findKept(kept, context);

  app.post('/v1/responses', async (context) => {
    try {
      return await createResponse(context, { ...routes, kept });
    } catch (error) {
      if (error instanceof PreviousUnknown) return tellPreviousUnknown(error);
      throw error;
    }
  });
  app.get('/v1/responses/:id', (context) => {
    if (context.req.query('stream') === 'true')
      throw new AgentError(
        'request-invalid',
        'stream must not be true: a response that has ended is given as a whole.',
      );
    return context.json(find(context).response);
  });
  app.delete('/v1/responses/:id', (context) => {
    const { id } = find(context).response;
    kept.forget(id);
    return context.json({ id, object: 'response', deleted: true });
  });
  app.get('/v1/responses/:id/input_items', (context) =>
    context.json(toItemList(find(context).input, new URL(context.req.url).searchParams)),
  );
  app.post('/v1/responses/:id/cancel', (context) => {
    find(context);
    throw new AgentError('request-invalid', 'Only a response that runs in the background can be cancelled.', {
      remedy: 'Close the connection that a response is streamed to: that ends it.',
    });
  });
  app.all('/v1/responses', () => wrongMethod('POST'));
  app.all('/v1/responses/:id', () => wrongMethod('GET, HEAD, DELETE'));
  app.all('/v1/responses/:id/input_items', () => wrongMethod('GET, HEAD'));
  app.all('/v1/responses/:id/cancel', () => wrongMethod('POST'));
}

/** Throws `session-unknown`, also for those of others. */
function findKept(kept: KeptResponses, context: Context<Inside>): KeptResponse {
  const id = context.req.param('id') ?? '';
  const found = kept.find(id, context.get('visitor').key);
  if (found) return found;
  throw new AgentError('session-unknown', `Response with id '${id}' not found.`, {
    remedy: 'Use the id of a response that your own key asked for; they are kept for a day, and not with store: false.',
  });
}

function wrongMethod(allowed: string): Response {
  const failure = toSafeFailure(
    new AgentError('method-wrong', `This address takes ${allowed.replace(/, (?=\w+$)/, ' and ')}.`),
  );
  return toOpenaiError(failure, { headers: { allow: allowed } });
}
