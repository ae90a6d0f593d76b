// The door of the house: who comes in, by which key, from where. What every headend has behind it knows its visitor.

import { AgentError } from '@ai-agent/core';
import type { Context, MiddlewareHandler } from 'hono';
import { type ToError, toErrorResponse, toSafeFailure } from './failure-status.ts';
import type { Keys } from './keys.ts';
import { type OriginOptions, Origins } from './origins.ts';
import { sessionHeader } from './trace-headers.ts';
import { anybody, userHeader, type Visitor, withUser } from './visitor.ts';

/** What a request knows once it is inside. */
export interface Inside {
  readonly Variables: {
    visitor: Visitor;
    /** For headends that are stricter than the door. */
    origins: Origins;
  };
}

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
      context.set('visitor', withUser(keys ? keys.visitorOf(request.headers) : anybody, request.headers));
    } catch (error) {
      return refuse(error, errorsAt(request));
    }
    return undefined;
  };
  if (origins.hasCors) return withCors(origins, enter);
  return async (context, next) => enter(context) ?? next();
}

/** What is said to whoever may not come in. */
type Enter = (context: Context<Inside>) => Response | undefined;

function refuse(error: unknown, toError: ToError): Response {
  const failure = toSafeFailure(error);
  const response = toError(failure);
  if (failure.code === 'key-refused') response.headers.set('www-authenticate', 'Bearer');
  return response;
}

const exposed = [
  sessionHeader,
  ...['session-id', 'origin-id', 'call-path', 'status', 'limit'].map((name) => `x-ai-agent-${name}`),
  ...['location', 'retry-after', 'www-authenticate', 'mcp-session-id'],
  // What clients of models read.
  ...['x-request-id', 'request-id', 'x-should-retry'],
].join(', ');

const allowed = ['authorization', 'content-type', 'x-api-key', 'last-event-id', sessionHeader, userHeader].join(', ');

/** Browsers ask before they send, and read only what they are told they may. */
function withCors(origins: Origins, enter: Enter): MiddlewareHandler<Inside> {
  return async (context, next) => {
    const origin = context.req.raw.headers.get('origin');
    const named = origins.allows(origin) ? origin : null;
    const isPreflight = context.req.method === 'OPTIONS' && context.req.header('access-control-request-method');
    if (named !== null && isPreflight) return preflight(context, named);
    const refusal = enter(context);
    if (refusal) context.res = refusal;
    else await next();
    // What is kept on the way must not be shown to pages of other origins.
    context.header('vary', 'Origin', { append: true });
    if (named === null) return;
    context.header('access-control-allow-origin', named);
    context.header('access-control-expose-headers', exposed);
  };
}

function preflight(context: Context<Inside>, origin: string): Response {
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
      // Whatever the client wants to say: which of it means something is decided where it is read.
      'access-control-allow-headers': context.req.header('access-control-request-headers') ?? allowed,
      'access-control-max-age': '600',
      vary: 'Origin, Access-Control-Request-Headers',
    },
  });
}
