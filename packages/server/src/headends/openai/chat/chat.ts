// `/v1/chat/completions`: a conversation, and what the agent says next.

import type { Hono } from 'hono';
import type { Inside } from '../../../door.ts';
import type { TalkRoutes } from '../../../talk/talk-routes.ts';

export function mountChat(_app: Hono<Inside>, _routes: TalkRoutes): void {}
