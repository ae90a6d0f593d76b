// `/v1/sessions`: runs that belong to no connection, and how they are followed, answered and ended.

import type { Hono } from 'hono';
import type { Inside } from '../../door.ts';
import type { Hall } from '../../hall.ts';

export function mountSessions(app: Hono<Inside>, hall: Hall): void {
  app.get('/v1/sessions/:id', async (context) => {
    return context.json(await hall.session(context.req.param('id'), context.get('visitor')));
  });
}
