// Requests that were turned away before anything ran, for whoever runs the server: what was refused, why, and whose key it was.

import type { MiddlewareHandler } from 'hono';
import type { Inside } from './door.ts';

export interface Refusal {
  readonly method: string;
  /** Without what it asks. */
  readonly path: string;
  readonly status: number;
  /** Undefined where the reply has none. */
  readonly code: string | undefined;
  /** The name of the key; null where none was known. */
  readonly key: string | null;
}

export function tellRefusals(tell: (refusal: Refusal) => void): MiddlewareHandler<Inside> {
  return async (context, next) => {
    await next();
    const { res, req } = context;
    // What ran has its own line.
    if (res.status < 400 || res.headers.has('x-ai-agent-session')) return;
    // Whoever was turned away at the door is nobody yet.
    const visitor = context.get('visitor') as { readonly key: string | null } | undefined;
    const { method, path } = req;
    tell({ method, path, status: res.status, code: await codeIn(res), key: visitor?.key ?? null });
  };
}

interface Coded {
  readonly code?: unknown;
}

/** Where the code of another API stands, ours is beside it; chats in pages have a word of theirs alone. */
async function codeIn(response: Response): Promise<string | undefined> {
  try {
    const { error } = (await response.clone().json()) as {
      readonly error: string | (Coded & { readonly ai_agent?: Coded });
    };
    if (typeof error === 'string') return error;
    const { code } = error.ai_agent ?? error;
    return typeof code === 'string' ? code : undefined;
  } catch {
    return undefined;
  }
}
