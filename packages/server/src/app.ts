// The house as one application: the door, then each headend in its place.

import { AgentError, isAgentError } from '@ai-agent/core';
import { Hono } from 'hono';
import { type DoorOptions, type Inside, openDoor } from './door.ts';
import { type ToError, toErrorResponse, toSafeFailure } from './failure-status.ts';
import { type Hall, toStopping } from './hall.ts';
import { type Refusal, tellRefusals } from './refusals.ts';
import { wrongMethod } from './wrong-method.ts';

/** A headend: routes that decode what comes in, ask, and encode what comes out. */
export interface Headend {
  /** Whose places its runs take: `rest`. */
  readonly name: string;
  mount(app: Hono<Inside>, hall: Hall): void;
  /** Routes that need no key, because nothing of anybody is in them. @default none */
  mountOutside?(app: Hono<Inside>): void;
  /** Ends what outlives its requests, when no run is left. @default nothing does */
  close?(): Promise<void>;
  /** How failures are told to whoever sent this, when it is for this headend and has a shape of its own. @default as everywhere */
  errorsAt?(request: Request): ToError | undefined;
}

export interface AppOptions extends DoorOptions {
  /** Told what was turned away before anything ran. @default nobody */
  readonly onRefused?: ((refusal: Refusal) => void) | undefined;
}

/** Without keys everybody may come in, but pages of other sites. */
export function createApp(hall: Hall, headends: readonly Headend[], options: AppOptions = {}): Hono<Inside> {
  const { onRefused, ...door } = options;
  const app = new Hono<Inside>();
  const errorsAt = (request: Request) => {
    for (const headend of headends) {
      const toError = headend.errorsAt?.(request);
      if (toError) return toError;
    }
    return toErrorResponse;
  };
  if (onRefused) app.use(tellRefusals(onRefused));
  app.get('/health', (context) => context.json({ status: 'ok' }));
  app.get('/ready', () => ready(hall));
  for (const path of ['/health', '/ready']) app.all(path, () => wrongMethod('GET, HEAD'));
  for (const headend of headends) headend.mountOutside?.(app);
  app.use(openDoor({ ...door, errorsAt }));
  for (const headend of headends) headend.mount(app, hall);
  app.notFound(({ req }) => errorsAt(req.raw)(toSafeFailure(noRoute(req.path))));
  app.onError((error, { req }) => {
    if (!isAgentError(error) || error.class === 'bug' || error.class === 'config') hall.onBug(error);
    return errorsAt(req.raw)(toSafeFailure(error));
  });
  return app;
}

function noRoute(path: string): AgentError {
  const base =
    'Base URLs of clients of models end with /v1 for OpenAI-style ones, and before it for Anthropic-style ones; a port may have one of these APIs alone.';
  const isOfModel = /\/(?:chat\/completions|completions|responses|messages|models|embeddings)$/.test(path);
  return new AgentError('route-unknown', `There is nothing at ${path}.`, isOfModel ? { remedy: base } : {});
}

/** For whoever spreads requests over several servers. */
function ready(hall: Hall): Response {
  if (!hall.isStopping) return Response.json({ status: 'ready' });
  return toErrorResponse(toSafeFailure(toStopping()));
}
