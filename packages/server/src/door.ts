// The door of the house: who comes in, by which key, from where. What every headend has behind it knows its visitor.

import type { MiddlewareHandler } from 'hono';
import { anybody, type Visitor } from './visitor.ts';

/** What a request knows once it is inside. */
export interface Inside {
  readonly Variables: { visitor: Visitor };
}

/** Lets everybody in. */
export function openDoor(): MiddlewareHandler<Inside> {
  return async (context, next) => {
    context.set('visitor', anybody);
    await next();
  };
}
