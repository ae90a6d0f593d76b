import { showInstructions } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { agent } from './support/walk.ts';

const text = { format: 'text' } as const;

test('as a session has them, with its contract', () => {
  const one = agent('one', () => 'never', { instructions: ({ now }) => `  At ${now}.\n` });
  expect(showInstructions(one, { now: 7, env: {}, output: text })).toBe('At 7.');
  expect(showInstructions(one, { now: 7, env: {}, output: { format: 'markdown' } })).toMatch(/^At 7\.\n\n.*Markdown/);
  const own = agent('one', () => 'never', { texts: { markdownContract: 'Use marks.' } });
  expect(showInstructions(own, { now: 7, env: {}, output: { format: 'markdown' } })).toContain('Use marks.');
});

test('whatever a variable holds is struck out, and whatever has the shape of a key', () => {
  const key = `ghp_${'a1B2c3D4'.repeat(4)}`;
  const one = agent('one', () => 'never', {
    instructions: ({ env }) => `${env.API_KEY} ${env.DATABASE} ${JSON.stringify(env.DATABASE)} ${key} ${env.LANG}`,
  });
  const env = { API_KEY: 'k-123456789', DATABASE: 'postgres://me:"word"@host', LANG: 'en' };
  expect(showInstructions(one, { now: 0, env, output: text })).toBe('*** *** "***" *** en');
});
