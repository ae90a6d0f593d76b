// `/docs`: one readable page of what is served. It needs no key itself, reaches nobody but this server, and runs no other script.

import type { Hono } from 'hono';
import type { Inside } from '../door.ts';
import { replyTagged, toTagged } from '../etag.ts';
import { wrongMethod } from '../wrong-method.ts';
import { script } from './script/script.ts';
import { toShell } from './shell.ts';
import { style } from './style.ts';

/** Before the door. */
export function mountPage(app: Hono<Inside>): void {
  const page = toTagged(toShell({ style, script }), headers());
  // The same at both: below a path of somebody else, nobody here knows where to send them on to.
  for (const path of ['/docs', '/']) {
    app.get(path, (context) => replyTagged(page, context.req.raw));
    app.all(path, () => wrongMethod('GET, HEAD'));
  }
}

function headers(): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'cache-control': 'no-cache',
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
}

function hashOf(text: string): string {
  return `sha256-${process.getBuiltinModule('node:crypto').hash('sha256', text, 'base64')}`;
}
