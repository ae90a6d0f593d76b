// A reply that our own listener writes as it is. Whoever else looks at it finds a response like any other, made only then.

import type { SseStream } from './sse.ts';

export interface ReplyHead {
  /** @default 200 */
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** What the reply is before it is a response. */
export interface ReplyParts {
  readonly body: string | SseStream;
  readonly head: ReplyHead;
}

/** On requests that our listener replies to: other servers are given responses of the platform, and may insist on them. */
const isOurs = Symbol('our listener replies');

export function takeDirectReply(request: Request & { [isOurs]?: true }): Request {
  request[isOurs] = true;
  return request;
}

/** Making a response, with its streams and headers, costs more than sending what is in it. */
export function toReply(request: Request, body: ReplyParts['body'], head: ReplyHead): Response {
  const parts = { body, head };
  return isOurs in request ? (new DirectReply(parts) as unknown as Response) : toResponse(parts);
}

/** Nothing when it is a response of the platform, or when somebody has made it one, and may have changed it. */
export function partsOf(reply: Response): ReplyParts | undefined {
  return DirectReply.is(reply) ? reply.parts : undefined;
}

class DirectReply {
  readonly #parts: ReplyParts;
  #response: Response | undefined;

  static {
    for (const name of Object.getOwnPropertyNames(Response.prototype)) {
      if (name === 'constructor' || name === 'status') continue;
      const get = function (this: DirectReply): unknown {
        this.#response ??= toResponse(this.#parts);
        const value: unknown = Reflect.get(this.#response, name, this.#response);
        return typeof value === 'function' ? value.bind(this.#response) : value;
      };
      Object.defineProperty(DirectReply.prototype, name, { get });
    }
    Object.setPrototypeOf(DirectReply.prototype, Response.prototype);
  }

  static is(value: object): value is DirectReply {
    return #parts in value;
  }

  constructor(parts: ReplyParts) {
    this.#parts = parts;
  }

  get parts(): ReplyParts | undefined {
    return this.#response ? undefined : this.#parts;
  }

  get status(): number {
    return this.#parts.head.status ?? 200;
  }
}

function toResponse({ body, head }: ReplyParts): Response {
  return new Response(typeof body === 'string' ? body : body.body, head);
}
