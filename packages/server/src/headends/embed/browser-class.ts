// `/ai-agent-public.js`: the class `AiAgentChat` for pages, as older embed clients have it. It is public, and holds nothing of anybody.

import type { Hono } from 'hono';
import type { Inside } from '../../door.ts';
import { replyTagged, toTagged } from '../../etag.ts';
import { wrongMethod } from '../../wrong-method.ts';
import { script } from './browser-script.ts';

export const scriptPath = '/ai-agent-public.js';

/** Before the door: pages of other origins load it as any script. */
export function mountBrowserClass(app: Hono<Inside>): void {
  const tagged = toTagged(script, {
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'no-cache',
    'cross-origin-resource-policy': 'cross-origin',
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
  });
  app.get(scriptPath, (context) => replyTagged(tagged, context.req.raw));
  app.all(scriptPath, () => wrongMethod('GET, HEAD'));
}
