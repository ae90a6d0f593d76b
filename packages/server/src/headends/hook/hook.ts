// Requests that another service sends, which proves by itself who it is: handed on, bounded, and without a key of ours.

import type { Headend } from '../../app.ts';
import { defaultBodyBytes, readBody } from '../../read-body.ts';
import { wrongMethod } from '../../wrong-method.ts';

export interface HookOptions {
  readonly name: string;
  /** Where it posts. */
  readonly paths: readonly string[];
  /** Has the whole body, and checks who sent it. */
  handle(request: Request): Promise<Response>;
}

/** It may come under any name of ours, and from anywhere. */
export function hook({ name, paths, handle }: HookOptions): Headend {
  return {
    name,
    mount() {},
    mountOutside(app) {
      for (const path of paths) {
        app.post(path, async ({ req: { raw } }) => {
          const body = await readBody(raw, defaultBodyBytes);
          const { url, method, headers } = raw;
          return handle(new Request(url, { method, headers, body }));
        });
        app.all(path, () => wrongMethod('POST'));
      }
    },
  };
}
