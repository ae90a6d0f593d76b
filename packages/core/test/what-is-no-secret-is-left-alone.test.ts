// The promise: only variables that are named like secrets are hidden, by values that are long enough, and no run breaks by it.
import { asTool, defineTool, MemoryPauses } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { calls, look, says } from './support/seen.ts';
import { agent, walk } from './support/walk.ts';

describe('left alone is', () => {
  test.each([
    ['a short value', { MY_KEY: 'short-7', MY_TOKEN: '   short-7 ' }, 'short-7'],
    [
      'a variable of another name',
      { REGION: 'eu-central-1', MY_TOKENIZER: 'cl100k_base', KEYBOARD: 'eu-central-1' },
      'eu-central-1 cl100k_base',
    ],
    [
      'a word that runs are made of',
      { MY_KEY: 'completed', MY_TOKEN: 'assistant', A_SECRET: 'tool-call' },
      'completed assistant',
    ],
  ])('%s', async (_, envOverlay, text) => {
    const { outcome, events } = await look(agent('lead', calls(), { tools: [says(text)] }), text, { envOverlay });
    expect(outcome.status).toBe('completed');
    expect(JSON.stringify(events)).not.toContain('***');
  });

  test('the name of a tool or an agent, by which it is found', async () => {
    const tool = defineTool({
      name: 'postgres_query',
      inputSchema: { type: 'object' },
      execute: () => 'It is postgres.',
    });
    const below = agent('postgres-agent', [{ calls: [{ name: 'postgres_query' }] }, 'ok'], { tools: [tool] });
    const lead = agent(
      'lead',
      [{ calls: [{ name: 'agent__postgres-agent', input: { text: 'x', reason: 'r' } }] }, 'done'],
      { tools: [asTool(below)] },
    );
    const { outcome, events } = await look(lead, 'go', { envOverlay: { DB_PASSWORD: 'postgres' } });
    const results = events.flatMap((event) =>
      event.type === 'tool-end' ? [`${event.label} ${event.result.text}`] : [],
    );
    expect(results).toEqual(['postgres_query It is ***.', 'postgres-agent ok']);
    expect(outcome.ledger.entries.map((entry) => entry.status)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'ok']);
  });

  test('the name of an agent that asked, by which it goes on', async () => {
    const asking = { calls: [{ name: 'ask_user', input: { question: 'Which?' } }] };
    const options = { ports: fakePorts({ pauses: new MemoryPauses() }), envOverlay: { DB_PASSWORD: 'postgres' } };
    const first = await walk(agent('postgres-agent', [asking], { ask: 'person' }), 'go', options);
    const resume = first.outcome.status === 'needs_user_input' ? first.outcome.resume : '';
    const { outcome } = await walk(agent('postgres-agent', ['ok'], { ask: 'person' }), 'that', { ...options, resume });
    expect(outcome).toMatchObject({ status: 'completed', text: 'ok' });
  });
});

test.each([
  ['API_KEY', true],
  ['apiKey', true],
  ['APIKEYS', true],
  ['openaiApiKeyOfMine', true],
  ['PGPASSWORD', true],
  ['my-token', true],
  ['GOOGLE_APPLICATION_CREDENTIALS', true],
  ['client_secret_2', true],
  ['TOKENIZERS_PARALLELISM', false],
  ['KEYBOARD', false],
  ['SECRETARY', false],
  ['PATH', false],
])('the variable %s is named like a secret: %s', async (name, isSecret) => {
  const { outcome } = await look(agent('lead', ['It is some-value-1.']), 'go', {
    envOverlay: { [name]: 'some-value-1' },
  });
  expect(outcome.text).toBe(isSecret ? 'It is ***.' : 'It is some-value-1.');
});
