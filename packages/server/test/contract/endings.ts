// Conversations that do not end with an answer alone: a limit, a question, a cancellation, a client that goes.

import type { Agent } from '@ai-agent/core';
import { scriptedHttpModel } from '@ai-agent/models/testing';
import { expect, onTestFinished } from 'vitest';
import { type Door, promise } from './door.ts';
import { agentOf, call, leadOf, lookUp } from './people.ts';

export function endsAtLimits(door: Door): void {
  const tireless = () =>
    agentOf(
      'tireless',
      (_request, turn) => (turn < 2 ? { ...call('look_up', {}), text: 'Looking.' } : 'As far as I got: forty-two.'),
      { tools: [lookUp], limits: { maxTurns: 2 } },
    );

  promise(door, ['name the limit'], 'a limit is named, and the work is kept', async () => {
    const open = await door.open([tireless()]);
    const answered = await open.ask({ agent: 'tireless', input: 'Go on.' });
    expect(answered).toMatchObject({ status: 'partial', limit: 'maxTurns', text: 'As far as I got: forty-two.' });
    await open.close();
  });

  promise(door, ['name the limit', 'stream'], 'streamed, it is the same', async () => {
    const open = await door.open([tireless()]);
    const { pieces, answered } = await open.stream({ agent: 'tireless', input: 'Go on.' });
    expect(pieces.join('')).toBe('As far as I got: forty-two.');
    expect(answered).toMatchObject({ status: 'partial', limit: 'maxTurns' });
    await open.close();
  });

  promise(door, ['name the limit'], 'data that was not finished is no data', async () => {
    const schema = { type: 'object', required: ['ok'] };
    const never = agentOf('never', () => call('look_up', {}), {
      tools: [lookUp],
      limits: { maxTurns: 2 },
      output: { format: 'json', schema },
    });
    const open = await door.open([never]);
    const answered = await open.ask({ agent: 'never', input: 'Go on.' });
    expect(answered.status).not.toBe('completed');
    expect(answered.report).toBeUndefined();
    await open.close();
  });
}

export function endsFromOutside(door: Door): void {
  /** Asks a real provider that does not answer until it is told to. */
  const patient = async () => {
    const gate = Promise.withResolvers<void>();
    const model = await scriptedHttpModel(() => ({ text: 'It was worth the wait.', until: gate.promise }));
    onTestFinished(() => model.close());
    const agent: Agent = { name: 'patient', instructions: 'Wait.', model };
    return { agent, gate, provider: model.server };
  };

  promise(door, ['cancel'], 'who cancels is told so, and the provider is left at once', async () => {
    const { agent, provider } = await patient();
    const open = await door.open([agent]);
    const begun = open.begin({ agent: 'patient', input: 'Go.' }, 'stream');
    await expect.poll(() => provider.inFlight).toBe(1);
    await begun.cancel();
    expect(await begun.answered).toMatchObject({ status: 'cancelled', failure: { class: 'cancelled' } });
    await expect.poll(() => [provider.inFlight, provider.aborted]).toEqual([0, 1]);
    await open.close();
  });

  promise(door, ['disconnect'], 'what a client that goes away leaves behind ends two levels down as well', async () => {
    const { agent, provider } = await patient();
    const child = { ...agent, description: 'waits' };
    const open = await door.open([leadOf('lead', leadOf('middle', child))]);
    const begun = open.begin({ agent: 'lead', input: 'Go.' }, 'ask');
    await expect.poll(() => provider.inFlight).toBe(1);
    begun.leave();
    await expect.poll(() => [provider.inFlight, provider.aborted]).toEqual([0, 1]);
    await open.close();
  });

  for (const how of ['ask', 'stream'] as const) {
    const needs = how === 'ask' ? (['disconnect'] as const) : (['disconnect', 'stream'] as const);
    promise(door, needs, `who goes away ends its own run alone, down to the provider (${how})`, async () => {
      const { agent, gate, provider } = await patient();
      const open = await door.open([agent]);
      const goes = open.begin({ agent: 'patient', input: 'I go.' }, how);
      const stays = open.begin({ agent: 'patient', input: 'I stay.' }, how);
      await expect.poll(() => provider.inFlight).toBe(2);
      goes.leave();
      await expect.poll(() => [provider.inFlight, provider.aborted]).toEqual([1, 1]);
      gate.resolve();
      expect(await stays.answered).toMatchObject({ status: 'completed', text: 'It was worth the wait.' });
      expect(provider.aborted).toBe(1);
      await open.close();
    });
  }
}
