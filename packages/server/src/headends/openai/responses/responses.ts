// `/v1/responses`: items of a conversation, and those that the agent adds; kept, so that the next request can go on from them.

import type { Hono } from 'hono';
import type { Inside } from '../../../door.ts';
import type { TalkRoutes } from '../../../talk/talk-routes.ts';

export function mountResponses(_app: Hono<Inside>, _routes: TalkRoutes): void {}
