// Pages of other origins: browsers ask before they send, and read only what they are told they may.

import type { Context, MiddlewareHandler } from 'hono';
import type { Inside } from './inside.ts';
import type { Keys } from './keys.ts';
import type { Origins } from './origins.ts';
import { allowedHeaders, exposedHeaders, methodsForPages } from './publishable.ts';
import { sessionHeader } from './trace-headers.ts';
import { userHeader, type Visitor } from './visitor.ts';

/** What is said to whoever may not come in. */
export type Enter = (context: Context<Inside>) => Response | undefined;

export function withCors(origins: Origins, keys: Keys | undefined, enter: Enter): MiddlewareHandler<Inside> {
  return async (context, next) => {
    const page = pageOf(context, origins, keys);
    const isPreflight = context.req.method === 'OPTIONS' && context.req.header('access-control-request-method');
    if (page && isPreflight) return page.isNamed ? preflight(context, page.origin) : preflightOfPage(page);
    const refusal = enter(context);
    if (refusal) context.res = refusal;
    else await next();
    // What is kept on the way must not be shown to pages of other origins.
    context.header('vary', 'Origin', { append: true });
    if (!page || !mayRead(context, page, refusal)) return;
    context.header('access-control-allow-origin', page.origin);
    context.header('access-control-expose-headers', page.isNamed ? exposed : exposedHeaders);
  };
}

/** A page that may have something to do here. */
interface Page {
  readonly origin: string;
  /** In `cors`: it may ask for everything, with a key that does. Others have a publishable key, and the methods that this has here. */
  readonly isNamed: boolean;
  readonly methods: readonly string[];
}

function pageOf({ req }: Context<Inside>, origins: Origins, keys: Keys | undefined): Page | undefined {
  const origin = req.raw.headers.get('origin');
  if (origin === null) return undefined;
  const isNamed = origins.allows(origin);
  const methods = keys?.isForPagesOf(origin) ? methodsForPages(req.path) : [];
  return isNamed || methods.length > 0 ? { origin, isNamed, methods } : undefined;
}

/** Where nobody came in, the page may read why; else its own key has to have let it in. */
function mayRead(context: Context<Inside>, { isNamed }: Page, refusal: Response | undefined): boolean {
  const visitor = context.get('visitor') as Visitor | undefined;
  return isNamed || refusal !== undefined || visitor?.origins !== undefined;
}

const exposed = [
  sessionHeader,
  ...['session-id', 'origin-id', 'call-path', 'status', 'limit', 'incomplete'].map((name) => `x-ai-agent-${name}`),
  ...['location', 'retry-after', 'www-authenticate', 'mcp-session-id'],
  // What clients of models read.
  ...['x-request-id', 'request-id', 'x-should-retry'],
].join(', ');

const allowed = ['authorization', 'content-type', 'x-api-key', 'last-event-id', sessionHeader, userHeader].join(', ');

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

/** For pages that have a publishable key: nothing more than that is good for. */
function preflightOfPage({ origin, methods }: Page): Response {
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': methods.join(', '),
      'access-control-allow-headers': allowedHeaders,
      'access-control-max-age': '600',
      vary: 'Origin',
    },
  });
}
