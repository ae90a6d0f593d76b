// `/v1/messages`: a conversation, and what the agent says next; `/v1/messages/count_tokens`.

import type { Hono } from 'hono';
import type { Inside } from '../../door.ts';
import type { TalkRoutes } from '../../talk/talk-routes.ts';

export function mountMessages(_app: Hono<Inside>, _routes: TalkRoutes): void {}
