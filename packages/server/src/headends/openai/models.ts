// `/v1/models` as OpenAI's clients read it: one model for each agent.

import type { Hono, MiddlewareHandler } from 'hono';
import type { Inside } from '../../door.ts';
import type { Hall } from '../../hall.ts';
import { wrongMethod } from '../../wrong-method.ts';
import { toOpenaiError } from './openai-error.ts';

export function mountOpenaiModels(app: Hono<Inside>, hall: Hall): void {
  // Agents are as old as the server for those who ask.
  const created = Math.floor(hall.clock.now() / 1_000);
  const toModel = (id: string) => ({ id, object: 'model', created, owned_by: 'ai-agent' });

  app.get(
    '/v1/models',
    unlessAnthropic((context) => {
      const agents = hall.agentsFor(context.get('visitor'));
      return context.json({ object: 'list', data: agents.map(({ name }) => toModel(name)) });
    }),
  );
  app.get(
    // Names may have slashes, and not every client encodes them.
    '/v1/models/:id{.+}',
    unlessAnthropic((context) => {
      const { name } = hall.agent(context.req.param('id') ?? '', context.get('visitor'));
      return context.json(toModel(name));
    }),
  );
  for (const path of ['/v1/models', '/v1/models/:id{.+}'])
    app.all(
      path,
      unlessAnthropic(() => wrongMethod('GET, HEAD', toOpenaiError)),
    );
}

type Handle = (context: Parameters<MiddlewareHandler<Inside>>[0]) => Response;

/** Whoever says that they speak the other API has a list of their own. */
function unlessAnthropic(handle: Handle): MiddlewareHandler<Inside> {
  return async (context, next) => (context.req.header('anthropic-version') === undefined ? handle(context) : next());
}
