// Why a server did not answer. Browsers do not tell a page whether it may not read the answer or there is none: one more look does.

import type { Failure } from '../server/documents.ts';

export interface Asked {
  readonly server: URL;
  readonly hasKey: boolean;
}

export async function explainSilence(error: unknown, { server, hasKey }: Asked): Promise<Failure> {
  if (!(error instanceof TypeError))
    return { ...failed, message: error instanceof Error ? error.message : String(error) };
  if (!(await isThere(server))) return failed;
  return {
    class: 'auth',
    code: 'origin-refused',
    message: `This chat is not allowed on pages of ${location.origin}.`,
    remedy: hasKey
      ? 'Whoever runs the server adds this origin to the origins of the key.'
      : 'Whoever runs the server gives this page a publishable key, or names its origin in api.cors.',
  };
}

const failed: Failure = {
  class: 'network',
  code: 'unreachable',
  message: 'The server does not answer.',
  remedy: 'Try again in a moment.',
};

/** What every page may read. */
async function isThere(server: URL): Promise<boolean> {
  try {
    const { ok } = await fetch(new URL('widget.js', server), {
      method: 'HEAD',
      credentials: 'omit',
      cache: 'no-store',
    });
    return ok;
  } catch {
    return false;
  }
}
