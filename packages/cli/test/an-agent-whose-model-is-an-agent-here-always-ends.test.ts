// The promise: an agent whose model is an agent of the very server that runs it is answered or refused. Nobody waits for a place
// that whoever waits for them holds, and no ring of them goes round.

import type { Agent } from '@ai-agent/cli';
import { createModels } from '@ai-agent/cli';
import { scriptedModel } from '@ai-agent/cli/testing';
import { describe, expect, test } from 'vitest';
import { ownKey, ownServer } from './support/own-server.ts';

const apis = { openai: '/v1', 'openai-compatible': '/v1', anthropic: '/v1' } as const;

describe.each(Object.entries(apis))('by way of %s', (type, path) => {
  /** An agent that thinks with another of the server at this address. */
  const thinking = (at: string, name: string, other: string): Agent => {
    const models = createModels({
      providers: { us: { type: type as keyof typeof apis, baseUrl: `${at}${path}`, apiKey: ownKey } },
    });
    return {
      name,
      instructions: `You are ${name}.`,
      model: { provider: 'us', model: other, open: (options) => models.resolve(`us/${other}`, options) },
      limits: { maxRetries: 1 },
    };
  };

  test('a chain of three on one place is answered', async () => {
    const last = scriptedModel(() => 'said c');
    const { url, hall } = await ownServer(
      (at) => [thinking(at, 'a', 'b'), thinking(at, 'b', 'c'), { name: 'c', instructions: 'You are c.', model: last }],
      { places: Object.fromEntries(['rest', 'openai', 'anthropic'].map((name) => [name, { running: 1, waiting: 1 }])) },
    );
    expect(await ask(`${url}/v1/a`)).toEqual([200, 'said c']);
    // Each says its own words first, and whoever it serves after that.
    expect(last.requests[0]?.system).toBe('You are c.\n\nYou are b.\n\nYou are a.');
    expect(hall.running).toBe(0);
  });

  test.each([
    ['itself', [['a', 'a']]],
    [
      'one that comes back to it',
      [
        ['a', 'b'],
        ['b', 'a'],
      ],
    ],
  ] as const)('one that thinks with %s is refused', async (_who, pairs) => {
    const { url, ended } = await ownServer((at) => pairs.map(([name, other]) => thinking(at, name, other)));
    const [status, text] = await ask(`${url}/v1/a`);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text).toContain('already at work above');
    expect(ended.length).toBe(pairs.length);
  });
});

async function ask(url: string): Promise<readonly [status: number, text: string]> {
  const response = await fetch(`${url}?q=go`, { headers: { 'x-api-key': ownKey } });
  return [response.status, await response.text()];
}
