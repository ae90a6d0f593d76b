// What the section `store` takes.

import { complain, type Given, type Scalar, scalar } from '../options/kind.ts';
import { isTrue, text, toMs } from '../options/kinds.ts';
import { settings, size } from './config-kinds.ts';

/** Milliseconds. A bare number could be days as well, and what it deletes is gone: it has to say which. */
export const age = scalar('a time with its unit, such as 12h, 30d or 1y (s, m, h, d, w, mo, y)', (value) =>
  typeof value === 'string' && /[a-z]/i.test(value) ? toMs(value) : undefined,
);

export const store = settings({ enabled: isTrue, path: text, url: toAddress(), maxAge: age, maxSize: size });

/** What was found may have a password in it, and is not shown. */
function toAddress(): Scalar<string> {
  const allowed = 'an address that begins with postgres:// or postgresql://';
  const parse = (value: unknown) =>
    typeof value === 'string' && /^\s*(?:postgres(?:ql)?:\/\/|$)/i.test(value) ? value : undefined;
  const read = (given: Given) => parse(given.at.value) ?? complain(given, `must be ${allowed}`);
  return { allowed, parse, read };
}
