// `/v1/responses`: items of a conversation, and those that the agent adds; kept, so that the next request can go on from them.

import { AgentError } from '@ai-agent/core';
import type { Context, Hono } from 'hono';
import type { Inside } from '../../../door.ts';
import type { TalkRoutes } from '../../../talk/talk-routes.ts';
import { whoseOf } from '../../../talk/whose.ts';
import { wrongMethod } from '../../../wrong-method.ts';
import { toOpenaiError } from '../openai-error.ts';
import { namingFields, WrongField } from '../wrong-field.ts';
import { createResponse } from './create-response.ts';
import { toItemList } from './input-items.ts';
import { type KeptResponse, KeptResponses } from './kept-responses.ts';

export function mountResponses(app: Hono<Inside>, routes: TalkRoutes): void {
  const kept = new KeptResponses(routes.hall);
  const find = (context: Context<Inside>) => findKept(kept, context);

  const items = async (context: Context<Inside>) =>
    context.json(toItemList((await find(context)).input, new URL(context.req.url).searchParams));

  app.post('/v1/responses', (context) => namingFields(() => createResponse(context, { ...routes, kept })));
  app.get('/v1/responses/:id', (context) => namingFields(async () => tellKept(context, await find(context))));
  app.delete('/v1/responses/:id', async (context) => {
    const { id } = (await find(context)).response;
    await kept.forget(id);
    return context.json({ id, object: 'response', deleted: true });
  });
  app.get('/v1/responses/:id/input_items', (context) => namingFields(() => items(context)));
  app.post('/v1/responses/:id/cancel', async (context) => {
    await find(context);
    throw new AgentError('request-invalid', 'Only a response that runs in the background can be cancelled.', {
      remedy: 'Close the connection that a response is streamed to: that ends it.',
    });
  });
  app.all('/v1/responses', () => wrongMethod('POST', toOpenaiError));
  app.all('/v1/responses/:id', () => wrongMethod('GET, HEAD, DELETE', toOpenaiError));
  app.all('/v1/responses/:id/input_items', () => wrongMethod('GET, HEAD', toOpenaiError));
  app.all('/v1/responses/:id/cancel', () => wrongMethod('POST', toOpenaiError));
}

function tellKept(context: Context<Inside>, { response }: KeptResponse): Response {
  if (context.req.query('stream') !== 'true') return context.json(response);
  throw new WrongField('stream', 'stream must not be true: a response that has ended is given as a whole.', {
    trouble: 'unsupported_value',
  });
}

/** Throws `session-unknown`, also for those of others. */
async function findKept(kept: KeptResponses, context: Context<Inside>): Promise<KeptResponse> {
  const id = context.req.param('id') ?? '';
  const found = await kept.find(id, whoseOf(context.get('visitor')));
  if (found) return found;
  throw new AgentError('session-unknown', `Response with id '${id}' not found.`, {
    remedy: 'Use the id of a response that your own key asked for; they are kept for a day, and not with store: false.',
  });
}
