// The promise: beyond this machine a server listens with keys, or when somebody said plainly that everybody may come in.

import { isAgentError } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { isLoopback, mayListen } from '../src/index.ts';

const here = [
  '127.0.0.1',
  '127.1.2.3',
  'localhost',
  'LOCALHOST',
  'agents.localhost',
  '::1',
  '[::1]',
  '::ffff:127.0.0.1',
];
const beyond = [
  '0.0.0.0',
  '::',
  '[::]',
  '',
  '192.168.1.4',
  '10.0.0.1',
  'agents.example',
  'localhost.example',
  '127.0.0.1.example',
  'fe80::1',
  '::ffff:10.0.0.1',
];

test.each(here)('%s is this machine', (host) => {
  expect(isLoopback(host)).toBe(true);
  expect(() => mayListen({ host, hasKeys: false, isPlainlyOpen: false })).not.toThrow();
});

test.each(beyond)('"%s" is beyond it', (host) => {
  const refusal = attempt(() => mayListen({ host, hasKeys: false, isPlainlyOpen: false }));
  expect(refusal).toMatchObject({ code: 'config-invalid', class: 'config' });
  expect(isAgentError(refusal) && `${refusal.message} ${refusal.remedy}`).toMatch(/--host.*keys.*api\.keys.*--open/);
  expect(() => mayListen({ host, hasKeys: true, isPlainlyOpen: false })).not.toThrow();
  expect(() => mayListen({ host, hasKeys: false, isPlainlyOpen: true })).not.toThrow();
});

function attempt(work: () => void): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
