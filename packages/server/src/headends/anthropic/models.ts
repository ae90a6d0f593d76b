// `/v1/models` as Anthropic's clients read it: one model for each agent, in pages.

import type { Context, Hono, MiddlewareHandler } from 'hono';
import type { Inside } from '../../door.ts';
import type { Hall } from '../../hall.ts';
import type { ServedAgent } from '../../served-agent.ts';
import { wrongMethod } from '../../wrong-method.ts';
import { toAnthropicError } from './anthropic-error.ts';
import { wrong } from './field.ts';

export interface AnthropicModels {
  readonly hall: Hall;
  /** Whether it is for those too who do not say that they speak this API. */
  readonly isAlone: boolean;
}

export function mountAnthropicModels(app: Hono<Inside>, { hall, isAlone }: AnthropicModels): void {
  const forUs =
    (handle: (context: Context<Inside>) => Response): MiddlewareHandler<Inside> =>
    async (context, next) =>
      isAlone || context.req.header('anthropic-version') !== undefined ? handle(context) : next();
  const list = forUs((context) => {
    const { req } = context;
    const page = { limit: req.query('limit'), after: req.query('after_id'), before: req.query('before_id') };
    return context.json(toPage(hall.agentsFor(context.get('visitor')), page));
  });
  const one = forUs((context) => {
    const served = hall.agent(context.req.param('id') ?? '', context.get('visitor'));
    return context.json(toModel(served));
  });
  app.get('/v1/models', list);
  app.get('/v1/models/:id{.+}', one);
  for (const path of ['/v1/models', '/v1/models/:id{.+}'])
    app.all(
      path,
      forUs(() => wrongMethod('GET, HEAD', toAnthropicError)),
    );
}

interface Page {
  readonly limit?: string | undefined;
  /** The model before the first of it. */
  readonly after?: string | undefined;
  /** The model after the last of it. */
  readonly before?: string | undefined;
}

const mostOnPage = 1_000;

/** Throws `request-invalid`. */
function toPage(agents: readonly ServedAgent[], { limit: asked = '20', after, before }: Page): object {
  const limit = Number(asked);
  if (!/^\d+$/.test(asked) || limit < 1 || limit > mostOnPage)
    throw wrong('limit', `this must be a whole number from 1 to ${mostOnPage}.`);
  if (after && before) throw wrong('before_id', 'send this or after_id, not both.');
  const indexOf = (id: string, at: string) => {
    const index = agents.findIndex(({ name }) => name === id);
    if (index < 0) throw wrong(at, `there is no model ${id}.`);
    return index;
  };
  const end = before ? indexOf(before, 'before_id') : agents.length;
  const start = after ? indexOf(after, 'after_id') + 1 : before ? Math.max(0, end - limit) : 0;
  const data = agents.slice(start, end).slice(0, limit).map(toModel);
  return {
    data,
    has_more: before ? start > 0 : start + data.length < end,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  };
}

interface Model {
  readonly type: 'model';
  readonly id: string;
  readonly [field: string]: unknown;
}

/** When an agent was made, nobody knows: the API has the epoch for that. */
function toModel({ name }: ServedAgent): Model {
  return {
    type: 'model',
    id: name,
    display_name: name,
    created_at: '1970-01-01T00:00:00Z',
    capabilities: null,
    lifecycle: 'active',
    line: null,
    deprecated_at: null,
    retires_at: null,
    max_input_tokens: null,
    max_tokens: null,
  };
}
