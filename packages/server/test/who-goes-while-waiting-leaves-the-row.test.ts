// The promise: a client that goes away while its run waits for a place leaves the row, and the run never begins.

import type { ScriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { agentOf } from './contract/people.ts';
import { inMemory, overSockets, textOf } from './contract/wires.ts';
import { restApp } from './support/rest-app.ts';

const ways = { 'in memory': inMemory, 'over sockets': overSockets };

for (const [name, connect] of Object.entries(ways)) {
  test.each(['*/*', 'text/event-stream'])(`${name}, accepting %s`, async (accept) => {
    const gate = Promise.withResolvers<void>();
    const agent = agentOf('slow', () => ({ text: 'At last.', until: gate.promise }));
    const { hall } = restApp([agent], { places: { rest: { running: 1, waiting: 5 } } });
    const places = hall.placesOf('rest');
    const wire = await connect(hall);
    const gone = new AbortController();
    const first = wire.send('/v1/slow?q=first');
    await expect.poll(() => places.running).toBe(1);
    const second = wire.send('/v1/slow?q=second', { headers: { accept }, signal: gone.signal });
    second.then(textOf).catch(() => {});
    await expect.poll(() => places.waiting).toBe(1);
    gone.abort();
    await expect.poll(() => [places.waiting, places.running, hall.running]).toEqual([0, 1, 1]);
    gate.resolve();
    expect(await textOf(await first)).toBe('At last.');
    expect((agent.model as ScriptedModel).requests).toHaveLength(1);
    await wire.close();
  });
}
