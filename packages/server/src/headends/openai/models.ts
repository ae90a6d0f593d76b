// `/v1/models` as OpenAI's clients read it: one model for each agent.

import type { Hono } from 'hono';
import type { Inside } from '../../door.ts';
import type { Hall } from '../../hall.ts';

export function mountOpenaiModels(_app: Hono<Inside>, _hall: Hall): void {}
