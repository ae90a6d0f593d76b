// Conversations that fail, one for each class of failure that a run can come to: the client is told which, why, and what to do.

import type { Agent, ErrorCode, FailureClass } from '@ai-agent/core';
import { expect } from 'vitest';
import { type Door, promise } from './door.ts';
import { agentOf } from './people.ts';

const once = { limits: { maxRetries: 1 } } as const;
const failing = (code: ErrorCode): Agent => agentOf('fails', [{ fail: { code } }], once);

/** Nobody foresaw it, and its message is nobody's business. */
const broken = (): Agent =>
  agentOf('fails', ['said'], {
    middleware: [
      {
        name: 'broken',
        decide: {
          turn: () => {
            throw new TypeError('secret-of-the-house at /srv/house/secret.ts');
          },
        },
      },
    ],
  });

const schema = { type: 'object', required: ['ok'] };

export const failuresByClass: Readonly<Record<Exclude<FailureClass, 'cancelled'>, () => Agent>> = {
  config: () => agentOf('fails', [], { model: 'nowhere/none' }),
  auth: () => failing('model-auth'),
  rate_limit: () => failing('model-rate-limit'),
  quota: () => failing('model-quota'),
  timeout: () => failing('model-timeout'),
  network: () => failing('model-network'),
  model: () => failing('model-unavailable'),
  invalid_output: () => agentOf('fails', () => 'No data from me.', { output: { format: 'json', schema } }),
  tool: () => failing('tool-failed'),
  usage: () => agentOf('fails', [], { input: { format: 'json', schema } }),
  budget: () => agentOf('fails', [], { budget: { tokens: 1 } }),
  bug: broken,
};

export function failsInEveryClass(door: Door): void {
  for (const [kind, plant] of Object.entries(failuresByClass)) {
    promise(
      door,
      ['name the class of a failure'],
      `a failure of class ${kind} says what, why, and what to do`,
      async () => {
        const open = await door.open([plant()]);
        const { status, failure, text } = await open.ask({ agent: 'fails', input: 'Go.' });
        expect([status, failure?.class, text]).toEqual(['failed', kind, '']);
        expect(failure?.message).toMatch(/\w+ \w+/);
        expect(failure?.remedy).toMatch(/\w+ \w+/);
        expect(JSON.stringify(failure)).not.toContain('secret');
        await open.close();
      },
    );
  }
}
