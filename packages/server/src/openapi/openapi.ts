// `/openapi.json`: for each visitor the agents that it may call. Made once for as long as the same agents are served.

import type { Hono } from 'hono';
import type { Inside } from '../door.ts';
import { replyTagged, type Tagged, toTagged } from '../etag.ts';
import type { Hall } from '../hall.ts';
import { defaultBodyBytes } from '../read-body.ts';
import type { ServedAgent } from '../served-agent.ts';
import { wrongMethod } from '../wrong-method.ts';
import { toDocument } from './document.ts';

export interface OpenapiOptions {
  /** What the body of a request may come to. @default 1 MiB */
  readonly maxBodyBytes?: number;
  /** Whether agents are models too, on the same port. @default false */
  readonly hasModels?: boolean;
}

/** Behind the door: the visitor is known. */
export function mountOpenapi(app: Hono<Inside>, hall: Hall, options: OpenapiOptions = {}) {
  const { maxBodyBytes = defaultBodyBytes, hasModels = false } = options;
  const documents = new Documents({ maxBodyBytes, hasModels });
  app.get('/openapi.json', (context) => {
    const visitor = context.get('visitor');
    return replyTagged(documents.of(hall.agentsFor(visitor), visitor.key !== null), context.req.raw);
  });
  app.all('/openapi.json', () => wrongMethod('GET, HEAD'));
}

interface Kept {
  readonly agents: readonly ServedAgent[];
  readonly hasKeys: boolean;
  readonly reply: Tagged;
}

/** Keys that may call the same agents share one. */
class Documents {
  readonly #options: Required<OpenapiOptions>;
  #kept: readonly Kept[] = [];

  constructor(options: Required<OpenapiOptions>) {
    this.#options = options;
  }

  of(agents: readonly ServedAgent[], hasKeys: boolean): Tagged {
    const known = this.#kept.find((one) => one.hasKeys === hasKeys && isSame(one.agents, agents));
    if (known) return known.reply;
    const document = toDocument(agents, { ...this.#options, hasKeys });
    const reply = toTagged(`${JSON.stringify(document)}\n`, headers);
    this.#kept = [{ agents, hasKeys, reply }, ...this.#kept].slice(0, maxKept);
    return reply;
  }
}

const maxKept = 32;

/** What a key may see is for nobody else, and may change at any time. */
const headers = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'private, no-cache',
  vary: 'authorization, x-api-key',
  'x-content-type-options': 'nosniff',
};

function isSame(some: readonly ServedAgent[], others: readonly ServedAgent[]): boolean {
  return some.length === others.length && some.every((one, i) => one === others[i]);
}
