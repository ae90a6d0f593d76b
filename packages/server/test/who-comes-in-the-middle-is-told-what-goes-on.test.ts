// Hints are told once. Who follows a session from its middle, or comes back to it, can ask for what they have told that still holds.

import { asTool, defineTool, type Model, type ModelContext, type ModelReply, type ToolOffer } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { agentOf, call } from './contract/people.ts';
import { gate, hallOf, openHouse, wires } from './support/house.ts';
import { parseEvents, type ReadEvent } from './support/sse-events.ts';

class Writing implements Model {
  readonly provider = 'test';
  readonly model = 'writing';
  readonly #called = Promise.withResolvers<ModelContext>();
  readonly #done = Promise.withResolvers<ModelReply>();

  async call(_: unknown, context: ModelContext): Promise<ModelReply> {
    this.#called.resolve(context);
    return this.#done.promise;
  }

  async say(text: string): Promise<void> {
    (await this.#called.promise).onDelta?.({ type: 'text', text });
  }

  async think(text: string): Promise<void> {
    (await this.#called.promise).onDelta?.({ type: 'reasoning', text });
  }

  end(text: string): void {
    const message = { role: 'assistant' as const, content: [{ type: 'text' as const, text }] };
    this.#done.resolve({ message, finishReason: 'stop', usage: {} });
  }
}

test.each(wires)('what is being written comes from its beginning, once, %s', async (_, connect) => {
  const model = new Writing();
  const house = await openHouse(hallOf([{ name: 'writer', instructions: 'Write.', model }]), connect);
  const id = await house.start('writer', 'Go on');
  await model.think('Hm. ');
  await model.say('One, ');
  await model.say('two, ');
  const reads = ['now=true', 'now=true&brief=true', 'after=0'].map(async (query) => {
    const { chunks } = await house.wire.send(`/v1/sessions/${id}/events?${query}`, {});
    const events: ReadEvent[] = [];
    for await (const event of parseEvents(chunks)) events.push(event);
    return events;
  });
  // Both are there before the next piece.
  await expect.poll(() => house.hall.live(id)?.followers).toBe(3);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await model.say('three.');
  model.end('One, two, three.');
  const [whole = [], brief = [], plain = []] = await Promise.all(reads);
  for (const events of [whole, brief]) {
    expect(pieces(events)).toEqual([
      ['One, two, ', true],
      ['three.', undefined],
    ]);
    expect(events.filter(({ event }) => event === 'operation-start').map(({ data }) => data.op)).toContain(
      'turn.1.model',
    );
    expect(events.find(({ event }) => event === 'reasoning-delta')?.data.text).toBe('Hm. ');
  }
  expect(pieces(plain)).toEqual([['three.', undefined]]);
});

test('what is left of a call that is over is no more told than the call', async () => {
  const late = gate();
  const [began, left] = [gate(), gate()];
  const dig = defineTool({
    name: 'dig',
    description: 'digs on, whatever it is told',
    inputSchema: { type: 'object' },
    execute: async (_args, { progress }) => {
      progress('Digging.');
      began.open();
      await late.opened;
      progress('Still digging.');
      return 'A bone.';
    },
  });
  const digger = agentOf('digger', ({ tools }) => (tools.length === 0 ? 'No bone.' : call('dig', {})), {
    tools: [dig],
  });
  const lead = agentOf(
    'lead',
    (_request, turn) =>
      turn === 1 ? call('digger', { text: 'dig', reason: 'r' }) : { text: 'Done.', until: left.opened },
    { tools: [asTool(digger) as ToolOffer] },
  );
  const house = await openHouse(hallOf([lead]));
  const id = await house.start('lead');
  await began.opened;
  const signs = () => house.hall.live(id)?.signs.map((one) => [one.type, 'op' in one ? one.op : '']) ?? [];
  expect(signs()).toContainEqual(['tool-progress', 'turn.1.tool.1']);
  const live = house.hall.live(id);
  await house.post(`/v1/sessions/${id}/stop`, { session: `${id}~1.1` });
  const atSecondTurn = () => signs().some(([, op]) => op === 'turn.2.model');
  await expect.poll(atSecondTurn).toBe(true);
  late.open();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(signs().filter(([type]) => type === 'tool-progress')).toEqual([]);
  left.open();
  await house.ended(id);
  expect(live?.signs).toEqual([]);
});

function pieces(events: readonly ReadEvent[]): readonly unknown[] {
  return events.filter(({ event }) => event === 'text-delta').map(({ data }) => [data.text, data.isSoFar]);
}
