// The door of the house: who comes in, by which key, from where. What every headend has behind it knows its visitor.

import { AgentError } from '@ai-agent/core';
import type { MiddlewareHandler } from 'hono';
import { type Enter, withCors } from './cors.ts';
import { type ToError, toErrorResponse, toSafeFailure } from './failure-status.ts';
import type { Inside } from './inside.ts';
import type { Keys } from './keys.ts';
import { type OriginOptions, Origins } from './origins.ts';
import { admitPublishable, guardPublishable } from './publishable.ts';
import { anybody, withUser } from './visitor.ts';

export type { Inside };

export interface DoorOptions extends OriginOptions {
  /** Who may come in. @default everybody, whatever key is shown */
  readonly keys?: Keys | undefined;
  /** How the one who sent this is told what is wrong. @default the same for everybody */
  readonly errorsAt?: ((request: Request) => ToError) | undefined;
}

export function openDoor(options: DoorOptions = {}): MiddlewareHandler<Inside> {
  const { keys, errorsAt = () => toErrorResponse } = options;
  const origins = new Origins(options);
  if (origins.isForAll && !keys)
    throw new AgentError('config-invalid', 'cors may be * only where there are keys: name the origins.');
  const enter: Enter = (context) => {
    const request = context.req.raw;
    try {
      if (!keys) origins.guard(request);
      context.set('origins', origins);
      const visitor = keys ? keys.visitorOf(request) : anybody;
      guardPublishable(visitor, request, context.req.path);
      const named = withUser(visitor, request.headers);
      context.set('visitor', admitPublishable(named, request, context.req.path));
    } catch (error) {
      return refuse(error, errorsAt(request));
    }
    return undefined;
  };
  if (origins.hasCors || keys?.arePublishable) return withCors(origins, keys, enter);
  return async (context, next) => enter(context) ?? next();
}

function refuse(error: unknown, toError: ToError): Response {
  const failure = toSafeFailure(error);
  const response = toError(failure);
  if (failure.code === 'key-refused') response.headers.set('www-authenticate', 'Bearer');
  return response;
}
