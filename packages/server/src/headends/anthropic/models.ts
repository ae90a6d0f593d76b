// `/v1/models` as Anthropic's clients read it: one model for each agent, in pages.

import type { Hono } from 'hono';
import type { Inside } from '../../door.ts';
import type { Hall } from '../../hall.ts';

export interface AnthropicModels {
  readonly hall: Hall;
  /** Whether it is for those too who do not say that they speak this API. */
  readonly isAlone: boolean;
}

export function mountAnthropicModels(_app: Hono<Inside>, _models: AnthropicModels): void {}
