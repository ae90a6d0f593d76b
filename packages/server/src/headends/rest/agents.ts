// `/v1/:agent`: one request, one session, one answer.

import { AgentError } from '@ai-agent/core';
import type { Hono } from 'hono';
import { answer } from '../../answer.ts';
import { callerOf } from '../../caller.ts';
import type { Inside } from '../../door.ts';
import { toErrorResponse, toSafeFailure } from '../../failure-status.ts';
import type { Hall } from '../../hall.ts';

export function mountAgents(app: Hono<Inside>, hall: Hall): void {
  app.get('/v1/:agent', async (context) => {
    const q = context.req.query('q') ?? '';
    if (q.trim() === '') throw new AgentError('request-invalid', 'q is missing: what do you ask?');
    const { outcome } = answer(hall, {
      agent: context.req.param('agent'),
      prompt: q,
      visitor: context.get('visitor'),
      headend: 'rest',
      signal: context.req.raw.signal,
      above: callerOf(context.req.raw.headers),
    });
    const ended = await outcome;
    if ('failure' in ended)
      return toErrorResponse(toSafeFailure(new AgentError(ended.failure.code, ended.failure.message)));
    return context.text(ended.text);
  });
}
